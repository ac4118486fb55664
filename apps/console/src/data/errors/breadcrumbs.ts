/** What happened before an error, the newest last: screens opened and calls made, without what they were about. */
export interface Breadcrumb {
  at: string
  what: string
}

const mostCrumbs = 20
const crumbs: Breadcrumb[] = []

/** Notes a step; what names a record or a person in it is left out. */
export function leaveCrumb(what: string): void {
  crumbs.push({ at: new Date().toISOString(), what: withoutPersons(what) })
  if (crumbs.length > mostCrumbs) crumbs.shift()
}

export const crumbsSoFar = (): readonly Breadcrumb[] => [...crumbs]

/**
 * A text without personal data: ids, e-mail addresses, quoted words, what follows a question mark in a path, and runs of digits
 * that could be a phone or identity number.
 */
export function withoutPersons(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, ':id')
    .replace(/[\w.+-]+@[\w-]+\.[\w.-]+/g, ':e-mail')
    .replace(/“[^”]*”|"[^"]*"|'[^'\n]*'|‘[^’]*’/g, ':text')
    .replace(/(\/[\w/:.-]*)\?\S*/g, '$1')
    .replace(/\+?\d[\d ()-]{5,}\d/g, ':number')
}
