import type { Parameters } from './catalogue.ts'
import { dangerOf } from './danger.ts'

/** What an answer means for its command: explicitly done, explicitly not done, or only received. */
export type Meaning = 'done' | 'failed' | 'heard'

/** Wanted values of outputs by their number; 1 cuts. */
type Outputs = ReadonlyMap<number, string>
interface Aim {
  relay: 'cut' | 'restore' | null
  outputs: Outputs
}

/** Complete answers by which trackers confirm that the relay is set: GT06 and its clones, H02. */
const relayDone = {
  cut: /^(?:dyd\s*=\s*success|cut off the (?:fuel|oil)(?: supply)?\s*:\s*success|already in the state of (?:fuel|oil) supply (?:to )?cut off\W.*|relay\W{0,2}1?\W{0,2}(?:ok|success)|s20,(?:done|ok)(?:,.*)?)\W*$/i,
  restore:
    /^(?:hfyd\s*=\s*success|restore (?:the )?(?:fuel|oil)(?: supply)?\s*:\s*success|already in the state of (?:fuel|oil) supply (?:to )?resume\W.*|relay\W{0,2}0?\W{0,2}(?:ok|success)|s20,(?:done|ok)(?:,.*)?)\W*$/i,
}
const exactlyDone = /^(?:set\s+)?(?:ok|success)\W*$/i
const refusal =
  /(?:^|[=:,!\s])(?:fail(?:ed|ure)?|err(?:or)?|invalid|illegal|refused|rejected|denied|unsupported|unknown command|wrong|incorrect|not supported|speed limit|unvalued)\b/i
/** Longer answers are lists of settings, in which such words are names. */
const maxRefusalLength = 120

/** Classifies an answer. `isNamed`: the device named the command that it answers. */
export function meaningOf({
  type,
  parameters,
  text,
  isNamed,
}: {
  type: string
  parameters: Parameters
  text: string
  isNamed: boolean
}): Meaning {
  const words = text.trim()
  const aim = aimOf(type, parameters)
  if (!aim) return words.length <= maxRefusalLength && refusal.test(words) ? 'failed' : 'heard'
  if (isNamed && exactlyDone.test(words)) return 'done'
  if (aim.relay && relayDone[aim.relay].test(words)) return 'done'
  return aim.outputs.size > 0 && areSet(aim.outputs, words) ? 'done' : 'failed'
}

/** The outputs that a command sets; null for commands that set none. */
function aimOf(type: string, parameters: Parameters): Aim | null {
  if (type === 'engineStop') return { relay: 'cut', outputs: new Map([[1, '1']]) }
  if (type === 'engineResume') return { relay: 'restore', outputs: new Map([[1, '0']]) }
  if (type === 'outputControl') return { relay: null, outputs: new Map([[Number(parameters.index), String(parameters.data)]]) }
  return dangerOf(type, parameters) === 'interlock' ? aimOfText(String(parameters.data)) : null
}

/** Parses raw text that sets outputs. Text that cannot be parsed counts as done only by a plain OK to this very command. */
function aimOfText(text: string): Aim {
  const digits = /^\s*setdigout\s+([01?]{1,4})\b/i.exec(text)?.[1]
  if (digits !== undefined)
    return { relay: null, outputs: new Map([...digits].flatMap((value, at) => (value === '?' ? [] : [[at + 1, value] as const]))) }
  if (/^\s*(?:relay,1|dyd)\b|s20,[^,]*,[01],1/i.test(text)) return { relay: 'cut', outputs: new Map() }
  if (/^\s*(?:relay,0|hfyd)\b|s20,[^,]*,[01],0/i.test(text)) return { relay: 'restore', outputs: new Map() }
  return { relay: null, outputs: new Map() }
}

/**
 * True when the answer names every wanted output with its value: "DOUT1:1 Timeout:INFINITY", "DOUT1:Already set to 1", "Digital outputs
 * are set to: 1 0".
 */
function areSet(outputs: Outputs, text: string): boolean {
  const told = new Map(
    [...text.matchAll(/DOUT\s*(\d)\s*(?::|=|is)?\s*(?:already set to\s*)?([01])\b/gi)].map(([, index, value]) => [Number(index), value]),
  )
  const list = /outputs?\s+(?:are\s+)?set\s+to:?\s*([01?](?:\s*[01?]){0,3})\s*$/i.exec(text)?.[1]?.replace(/\s/g, '')
  return [...outputs].every(([index, value]) => (told.get(index) ?? list?.[index - 1]) === value)
}
