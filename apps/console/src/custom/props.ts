import type { CustomView } from '@outpost/contract/views'

/** What a hand-made screen gets: its view and the parameters of its path. */
export interface CustomProps {
  view: CustomView
  params: Record<string, string>
}
