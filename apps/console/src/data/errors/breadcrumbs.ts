import { callNameOf, screenOf } from './known-paths.ts'

/** What happened before an error, the newest last: screens opened and calls made, without what they were about. */
export interface Breadcrumb {
  at: string
  what: string
}

const mostCrumbs = 20
const crumbs: Breadcrumb[] = []

/** Notes a step: the pattern of a screen, or a call by its name and what it was answered. */
export function leaveCrumb(what: string): void {
  crumbs.push({ at: new Date().toISOString(), what })
  if (crumbs.length > mostCrumbs) crumbs.shift()
}

export const leaveScreenCrumb = (address: string): void => leaveCrumb(screenOf(address))

export const leaveCallCrumb = (method: string, address: string, status: number): void =>
  leaveCrumb(`${callNameOf(method, address)} ${status}`)

export const crumbsSoFar = (): readonly Breadcrumb[] => [...crumbs]
