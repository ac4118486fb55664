import { call } from '../../data/calls.ts'

/** What somebody was about to do in the profile when they went to confirm it at their identity provider. */
export interface Begun {
  card: 'passkeys' | 'factor'
  /** As the card calls it. */
  work: string
  /** What was typed, without secrets. */
  values?: { name?: string }
}
/** Begun and back: with a confirmation, or without one because it was refused. */
export interface Returned extends Begun {
  confirmation: string | undefined
}

export interface ReturnedProps {
  /** For this card. */
  returned: Returned | null
  /** It was for one piece of work, which is over. */
  forgetReturned: () => void
}

/** Of this tab alone: it is this tab that goes there and comes back. */
const key = 'outpost.confirming'

/** Leaves for the identity provider that signed the person in; they come back to the profile. */
export async function confirmElsewhere(begun: Begun): Promise<void> {
  const { url } = (await call('saml.startConfirm')).data
  sessionStorage.setItem(key, JSON.stringify(begun))
  location.assign(url)
}

/** True while this tab has somebody who is on the way. */
export const isConfirming = (): boolean => sessionStorage.getItem(key) !== null

/** What the profile's address says of somebody who comes back; null for who just opens it. */
export function readReturned(search: string): Returned | null {
  const [asked, begun] = [new URLSearchParams(search), readBegun()]
  const confirmation = asked.get('confirmed') ?? undefined
  return begun && (confirmation !== undefined || asked.has('problem')) ? { ...begun, confirmation } : null
}

export const isRefused = (returned: Returned | null): boolean => returned !== null && returned.confirmation === undefined

export const forgetBegun = (): void => sessionStorage.removeItem(key)

function readBegun(): Begun | null {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Begun | null
  } catch {
    return null
  }
}
