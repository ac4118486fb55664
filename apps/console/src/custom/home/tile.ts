import type { WidgetView } from '@outpost/contract/views'
import { callOf } from '../../data/calls.ts'

/** A widget and the screen a user must have for it. */
export interface HomeWidget extends WidgetView {
  needs: string
  /** A permission that makes it one's business. */ asks?: string
}
const figures = callOf('home.figures')

/** A number that the server counts as the list counts it, and says which list that is. */
export const tile = (id: string, title: string, needs: string): HomeWidget => ({
  id,
  title,
  draw: 'number',
  source: figures,
  value: `tiles.${id}`,
  span: 6,
  needs,
})
