/** The text of a search box beside the address: what is typed, and what of it is still on its way there. */
export interface SearchText {
  typed: string
  /** The address as it was last seen. */
  seen: string
  /** Sent and not seen in the address yet, oldest first: the address follows a moment later, and may leave out some. */
  pending: readonly string[]
}

export const searchText = (value: string): SearchText => ({ typed: value, seen: value, pending: [] })

const lastSent = ({ seen, pending }: SearchText) => pending.at(-1) ?? seen

export const isSent = (text: SearchText): boolean => text.typed === lastSent(text)

export function withSent(text: SearchText, sent: string): SearchText {
  if (sent === lastSent(text)) return text
  return { ...text, pending: sent === text.seen ? [] : [...text.pending, sent] }
}

/**
 * After the address has been read. What the box itself sent changes nothing of what is typed: whoever goes on typing meanwhile keeps
 * text and place. Any other change (a link, Back, a filter removed) replaces it.
 */
export function withAddress(text: SearchText, value: string): SearchText {
  if (value === text.seen) return text
  const echoed = text.pending.indexOf(value)
  if (echoed === -1) return searchText(value)
  return { ...text, seen: value, pending: text.pending.slice(echoed + 1) }
}
