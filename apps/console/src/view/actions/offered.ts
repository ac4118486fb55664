import { holds } from '@outpost/contract/fields'
import type { ActionView } from '@outpost/contract/views'
import type { Row } from '../../data/records.ts'

/** The actions that make sense for a row as it stands; the server checks again when one is done. */
export const offered = (actions: readonly ActionView[], row: Row): ActionView[] =>
  actions.filter(({ visibleIf }) => visibleIf === undefined || holds(visibleIf, row))
