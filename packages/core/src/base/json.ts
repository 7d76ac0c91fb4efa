/** Plain data that JSON can hold. */
export type JsonValue = string | number | boolean | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}
