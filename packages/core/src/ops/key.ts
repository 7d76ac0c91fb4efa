/** `key show | trust | rotate | revoke`. */
import type { Repository } from './repository.js';
import type { KeyRing } from '../trust/key-ring.js';

/** Keys belong to the user: outside a repository everything but the signed fact still works. */
export interface KeyRequest {
  readonly keys: KeyRing;
  readonly repository?: Repository;
}
export interface KeyShowResult {
  readonly signer?: string;
  readonly problem?: string;
  readonly location: string;
  readonly former: readonly string[];
  readonly trusted: readonly { readonly name: string; readonly key: string }[];
  readonly revoked: readonly { readonly key: string; readonly lastGood: readonly string[]; readonly reason?: string }[];
}
export declare function keyShow(request: KeyRequest): Promise<KeyShowResult>;
export declare function keyTrust(
  request: KeyRequest & { readonly name: string; readonly key: string },
): Promise<KeyShowResult>;
export declare function keyRotate(request: KeyRequest & { readonly lost?: boolean }): Promise<KeyShowResult>;
export declare function keyRevoke(
  request: KeyRequest & { readonly key: string; readonly lastGood?: readonly string[]; readonly reason?: string },
): Promise<KeyShowResult>;
