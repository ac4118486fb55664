import type { ConsoleLayout } from '@outpost/contract/console'

const visit = '/sales/activities/:id/visit'
const page = '/sales/activities/:id/view'

/** Where an activity opens: one's own in the visit for the thumb, else its page; undefined when neither is open to the caller. */
export function activityPath(layout: ConsoleLayout | null, id: string, { isOwn = true } = {}): string | undefined {
  const found = (isOwn ? [visit, page] : [page]).find((path) => layout?.screens.some((screen) => screen.path === path && screen.permitted))
  return found?.replace(':id', id)
}
