/** What the model knows while it plays. */
import type { FixtureRepository } from '../repositories/repository.js';
import type { AgentsModel } from './script/agents-model.js';
import type { StoredStates } from './stored-states.js';
import type { Subject } from './subject/subject.js';
import type { UndoModel } from './undo-model.js';

export interface World {
  readonly fixture: FixtureRepository;
  readonly subject: Subject;
  readonly undos: UndoModel;
  readonly agents: AgentsModel;
  readonly stored: StoredStates;
  /** Ids, the newest last. */
  readonly snapshots: string[];
  /** Paths of files that a capture of the user holds. */
  readonly captured: Set<string>;
  /** Id of the newest operation. */
  newest?: string;
}
