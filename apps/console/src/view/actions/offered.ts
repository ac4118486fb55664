import { holds } from '@outpost/contract/fields'
import type { ActionView } from '@outpost/contract/views'
import type { Row } from '../../data/records.ts'
import { followers } from './moving.ts'

/** The actions that make sense for a row as it is; the server checks again when one is done. */
export const offered = (actions: readonly ActionView[], row: Row): ActionView[] =>
  actions.filter(
    ({ visibleIf, moves }) =>
      (visibleIf === undefined || holds(visibleIf, row)) && (moves === undefined || followers(moves, row, moves.key).length > 0),
  )
