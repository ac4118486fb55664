import type { CallView } from '@outpost/contract/views'
import type { Values } from './paths.ts'
import type { Row } from './records.ts'
import type { NewFile } from '../offline/sync/files.ts'

/** What a screen asks to be saved: by its call online, or on the device. */
export interface SaveRequest {
  /** The call to make online; `:id` in its path is filled from `id` and `params`. */
  call: CallView
  /** Kind of entity in the offline store; without it the save needs a connection. */
  entityType?: string
  /** Resource whose queries are asked again; the entity type when not given. */
  resource?: string
  /** Key of the record in the answer's data. */
  one?: string
  /** What the user entered. */
  values: Values
  /** What the call takes, where that is not the values and the version they were made on. */
  body?: Values
  /** The record as it was loaded; absent for a new one. */
  base?: Row
  id?: string
  params?: Values
  /** The call as the device keeps it in place of the values: what the server carries out as a call of its own. */
  later?: KeptLater
  /** Files of the record, named by it: they are kept on the device with it, and sent after it. Only for a device with a store. */
  files?: readonly NewFile[]
  /** Calls that the device keeps beside the values, in their order: what the online call does with its body in one go. */
  also?: readonly KeptLater[]
}
/** A call under its field; `shows` is laid over the record until the server has it, `words` says it to people. */
export interface KeptLater {
  field: string
  value: Values & { shows: Values; words: string }
  /** Records that the call names: it is sent after those that the office does not have yet. */
  names?: readonly { type: string; id: unknown }[]
}
export interface Saved {
  queued: boolean
  record: Row
  message?: string
}
