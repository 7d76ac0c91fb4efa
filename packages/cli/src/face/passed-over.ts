/** Snapshots that a list had to pass over make it a partial one. */
import { contextError, type ContextError, type ListResult } from '@savepoint/core';

export function passedOver(unreadable: ListResult['unreadable']): readonly ContextError[] {
  return unreadable.length === 0 ? [] : [contextError('snapshots_passed_over', { count: unreadable.length })];
}
