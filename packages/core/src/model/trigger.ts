/** What made a snapshot happen. */

export type TriggerKind = 'manual' | 'automatic' | 'scheduled';

export interface Trigger {
  readonly kind: TriggerKind;
  /** Such as `command`, or the name of the agent's event. */
  readonly reason: string;
}
