import type { Parameters } from './catalogue.ts'

/**
 * What a command requires before it is sent. `none`: one person. `twoPersons`: its effect is unknown, so two people must want it.
 * `interlock`: it may stop a vehicle, so it needs a reason, two people, and a stationary vehicle at the moment of sending.
 */
export type Danger = 'none' | 'twoPersons' | 'interlock'

/** Types that only query, or set the reporting interval. engineResume is here because it must never be delayed. */
const harmlessTypes: ReadonlySet<string> = new Set([
  'positionSingle',
  'positionPeriodic',
  'rebootDevice',
  'getVersion',
  'getDeviceStatus',
  'alarmArm',
  'alarmDisarm',
  'engineResume',
])
/** A relay may be wired to any output, and the installer decides whether 0 or 1 cuts. */
const cuttingTypes: ReadonlySet<string> = new Set(['engineStop', 'outputControl'])

/** Whole payloads that only query a device or set its reporting interval: as harmless as the types above. */
const harmlessText = new RegExp(
  `^(?:${[
    'getver',
    'getinfo',
    'getgps',
    'ggps',
    'getstatus',
    'getrecord',
    'getio',
    'getimeiccid',
    'battery',
    'cpureset',
    'getparam \\d{1,6}(?:;\\d{1,6})*',
    'readio \\d{1,5}',
    '(?:where|status|version|param|gprsset|iccid|imei|url|reset)#?',
    'timer,\\d{1,5}(?:,\\d{1,5})?#?',
  ].join('|')})$`,
  'i',
)

/**
 * Words by which trackers cut a vehicle (GT06: Relay, DYD; H02: S20; Teltonika: setdigout; others: stop, cut, output ...), compared
 * without anything but letters and digits. Deliberately broad: a false alarm only costs a second approval.
 */
const cuttingWords =
  /RELAY|RELE|RLY|DYD|S20|DIGOUT|OUT|DO[1-4]|STOP|CUT|KILL|BLOCK|LOCK|IMMO|ENGINE|MOTOR|OIL|FUEL|IGN|STARTER|POWEROFF|CORTE|PARO/

/** Classifies a command; what is not known to be harmless is not harmless. */
export function dangerOf(type: string, parameters: Parameters): Danger {
  if (cuttingTypes.has(type)) return 'interlock'
  // A text parameter could contain a second command.
  const words = Object.values(parameters).filter((value) => typeof value === 'string')
  if (words.some((text) => dangerOfText(text) === 'interlock')) return 'interlock'
  if (type === 'custom') return dangerOfText(String(parameters.data ?? ''))
  return harmlessTypes.has(type) ? 'none' : 'twoPersons'
}

/** Classifies raw text in any spelling: case, white space, commas of any alphabet, hexadecimal bytes. */
export function dangerOfText(text: string): Danger {
  if (harmlessText.test(text)) return 'none'
  return spellingsOf(text).some((spelling) => cuttingWords.test(spelling)) ? 'interlock' : 'twoPersons'
}

/**
 * The text reduced to letters and digits, and each run of hexadecimal digits decoded to text; decoded twice, because the bytes may be
 * hexadecimal text themselves.
 */
function spellingsOf(text: string, depth = 2): string[] {
  const squeezed = lettersAndDigits(text)
  if (depth === 0) return [squeezed]
  // "0x52, 0x65", "\x52\x65", "52:65" and "%52%65" are bytes as "5265" is.
  const bytes = text
    .normalize('NFKC')
    .replace(/[0\\]?x/gi, '')
    .replace(/[^0-9A-Za-z]+/g, '')
  const runs = bytes.match(/[0-9A-Fa-f]{6,}/g) ?? []
  return [
    squeezed,
    ...runs
      .flatMap((run) => [run, run.slice(1)])
      .flatMap((run) => spellingsOf(Buffer.from(run.slice(0, run.length & ~1), 'hex').toString('latin1'), depth - 1)),
  ]
}

const lettersAndDigits = (text: string) =>
  text
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^0-9A-Z]+/g, '')
