import type { Parameters } from './catalogue.ts'

/**
 * What a command takes to be sent. `none`: one person. `twoPersons`: nobody knows what it does, so two must want it.
 * `interlock`: it may stop a vehicle, so two must want it for a reason, and the vehicle must stand when it leaves.
 */
export type Danger = 'none' | 'twoPersons' | 'interlock'

/** Types that only ask, or set how often a device reports; to let an engine run again is never held up. */
const harmlessTypes: ReadonlySet<string> = new Set(['positionSingle', 'positionPeriodic', 'rebootDevice', 'getVersion', 'getDeviceStatus', 'alarmArm', 'alarmDisarm', 'engineResume'])
/** A wire may be on any output, and whether 0 or 1 cuts depends on who built it in. */
const cuttingTypes: ReadonlySet<string> = new Set(['engineStop', 'outputControl'])

/** Whole payloads that ask a device for something, or set how often it reports: as harmless as the types above. */
const harmlessText = new RegExp(`^(?:${[
  'getver', 'getinfo', 'getgps', 'ggps', 'getstatus', 'getrecord', 'getio', 'getimeiccid', 'battery', 'cpureset', 'getparam \\d{1,6}(?:;\\d{1,6})*', 'readio \\d{1,5}',
  '(?:where|status|version|param|gprsset|iccid|imei|url|reset)#?', 'timer,\\d{1,5}(?:,\\d{1,5})?#?',
].join('|')})$`, 'i')

/**
 * What is in the words by which trackers cut a vehicle (GT06: Relay, DYD; H02: S20; Teltonika: setdigout; others: stop,
 * cut, output ...), as it reads without anything but letters and digits. It rather takes too many for dangerous.
 */
const cuttingWords = /RELAY|RELE|RLY|DYD|S20|DIGOUT|OUT|DO[1-4]|STOP|CUT|KILL|BLOCK|LOCK|IMMO|ENGINE|MOTOR|OIL|FUEL|IGN|STARTER|POWEROFF|CORTE|PARO/

/** What a command takes to be sent; what is not known for harmless is not harmless. */
export function dangerOf(type: string, parameters: Parameters): Danger {
  if (cuttingTypes.has(type)) return 'interlock'
  // Words of any parameter could begin a second command.
  const words = Object.values(parameters).filter((value) => typeof value === 'string')
  if (words.some((text) => dangerOfText(text) === 'interlock')) return 'interlock'
  if (type === 'custom') return dangerOfText(String(parameters.data ?? ''))
  return harmlessTypes.has(type) ? 'none' : 'twoPersons'
}

/** The same of raw text, in any spelling: case, white space, commas of any alphabet, hexadecimal bytes. */
export function dangerOfText(text: string): Danger {
  if (harmlessText.test(text)) return 'none'
  return spellingsOf(text).some((spelling) => cuttingWords.test(spelling)) ? 'interlock' : 'twoPersons'
}

/** A text as letters and digits only, and each run of hexadecimal digits in it as the text it stands for; twice, as bytes may hold hexadecimal text. */
function spellingsOf(text: string, depth = 2): string[] {
  const squeezed = squeeze(text)
  if (depth === 0) return [squeezed]
  // "0x52, 0x65", "\x52\x65", "52:65" and "%52%65" are bytes as "5265" is.
  const bytes = text.normalize('NFKC').replace(/[0\\]?x/gi, '').replace(/[^0-9A-Za-z]+/g, '')
  const runs = bytes.match(/[0-9A-Fa-f]{6,}/g) ?? []
  return [squeezed, ...runs.flatMap((run) => [run, run.slice(1)]).flatMap((run) => spellingsOf(Buffer.from(run.slice(0, run.length & ~1), 'hex').toString('latin1'), depth - 1))]
}

const squeeze = (text: string) => text.normalize('NFKD').toUpperCase().replace(/[^0-9A-Z]+/g, '')
