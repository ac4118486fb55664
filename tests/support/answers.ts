import { z } from 'zod'
import { toJson } from '../../apps/server/src/kernel/reply.ts'
import type { Answer, Route } from '../../apps/server/src/kernel/types.ts'

/** Holds good answers against what their routes say of them: a wrong one is refused at once, and reported again at the end. */
export function answerCheck(): { check: (route: Route, answer: Answer) => void; assertNone: () => void } {
  const wrong = new Set<string>()
  return {
    check: (route, answer) => {
      const found = wrongIn(route, answer)
      if (found === undefined) return
      wrong.add(found)
      throw new Error(found)
    },
    assertNone: () => {
      if (wrong.size > 0) throw new Error(`Answers that are not what their routes say:\n${[...wrong].join('\n')}`)
    },
  }
}

/** What is wrong with the answer; undefined when nothing is, or when the route says nothing of it. */
export function wrongIn({ name, operation: { answer: said }, options: { sends } }: Route, answer: Answer): string | undefined {
  const bare = bareTypeOf(answer)
  if (bare !== undefined)
    return [sends ?? []].flat().some((type) => isOf(bare, type)) ? undefined : `${name}: answers ${bare}, which its route does not say`
  const data = dataOf(answer, sends === 'application/json')
  if (!said || data === undefined) return undefined
  const { error } = (typeof said === 'function' ? said() : said).safeParse(data)
  return error && `${name}: ${z.prettifyError(error).split('\n').slice(0, 8).join(' ')}`
}

/** What a good answer without the envelope is; undefined for others. */
function bareTypeOf(answer: Answer): string | undefined {
  if ('redirect' in answer) return 'redirect'
  if ('file' in answer) return answer.file.mimeType
  return 'text' in answer && (answer.text.status ?? 200) < 400 ? answer.text.type : undefined
}

/** A media range: any, any of a kind, or the very type whatever its parameters. */
function isOf(type: string, range: string): boolean {
  const [plain = ''] = type.split(';')
  return range === '*/*' || plain === range || (range.endsWith('/*') && plain.startsWith(range.slice(0, -1)))
}

/** The data as a caller reads it, all of an answer without the envelope; undefined where there is none: files, redirects, what is unchanged, streams. */
function dataOf(answer: Answer, isBare: boolean): unknown {
  if ('status' in answer && answer.status === 304) return undefined
  if ('json' in answer) {
    const body = JSON.parse(answer.json) as { data?: unknown }
    return isBare ? body : body.data
  }
  return 'data' in answer ? JSON.parse(toJson(answer.data)) : undefined
}
