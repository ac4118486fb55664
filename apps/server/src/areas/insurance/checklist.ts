import type { WireRecord } from '../../kernel/resource/records.ts'

interface Paper {
  name: string
  isReceived: boolean
  note?: string | null
}

/** The note of a paper that a cover asks for. */
const noteOf = (cover: string): string => cover.slice(0, 200)
const bare = (name: string): string => name.trim().toLowerCase()

/**
 * The papers of an application once a cover was decided on: those of the cover join the list, each once, and those that the former cover asked for
 * leave it where they have not been received.
 */
export function checklistFor(record: WireRecord, cover: string | undefined, asked: readonly string[]): Paper[] {
  const papers = (record['papers'] ?? []) as Paper[]
  const former = record['insuranceName']
  const kept = papers.filter(({ isReceived, note }) => isReceived || typeof former !== 'string' || note !== noteOf(former))
  const known = new Set(kept.map(({ name }) => bare(name)))
  const added = asked.filter((name) => !known.has(bare(name)))
  return [...kept, ...added.map((name) => ({ name, isReceived: false, note: cover === undefined ? null : noteOf(cover) }))]
}
