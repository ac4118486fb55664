/** A device's connection quality; times in epoch ms, shares from 0 to 1, of the last day where stated. */
export interface Condition {
  now: number
  /** Days since it was registered. */
  days: number
  status: string
  isDisabled: boolean
  lastFrameAt: number | null
  lastFixAt: number | null
  frames: number
  refused: number
  /** Bad frames by reason. */
  bad: Readonly<Record<string, number>>
  logins: number
  conflicts: number
  lastConflictAt: number | null
  clockSkewMs: number | null
  lastDay: {
    positions: number
    /** Share of its positions with a location that the device marks as valid. */
    validShare: number | null
    /** Share of its positions that arrived more than 15 min late. */
    lateShare: number | null
    /** Its median reporting interval while moving. */
    intervalSeconds: number | null
    /** Received divided by expected reports while moving, by its own median interval. */
    coverage: number | null
    satellites: number | null
  }
}

export interface Finding {
  severity: 'critical' | 'warning' | 'info'
  code: string
  /** The problem, in a sentence. */
  text: string
  /** The remedy, in a sentence. */
  advice: string
}

type Check = (condition: Condition) => Finding | undefined

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const checks: readonly Check[] = [
  ({ isDisabled }) =>
    when(
      isDisabled,
      'critical',
      'disabled',
      'The device is switched off here: nothing it sends is taken.',
      'Enable it if it should report.',
    ),
  ({ lastFrameAt }) =>
    when(
      lastFrameAt === null,
      'critical',
      'neverHeard',
      'The device has never been heard of.',
      "Check its server address and port, the SIM card's data and APN, and that its identity here is the one it sends (the IMEI).",
    ),
  ({ lastFrameAt, now }) =>
    when(
      lastFrameAt !== null && now - lastFrameAt > 2 * hour,
      'critical',
      'silent',
      `Nothing has been heard for ${span(now - (lastFrameAt ?? now))}.`,
      'Check its power supply and SIM card; a cut supply often shows as an alarm just before.',
    ),
  ({ lastFrameAt, lastFixAt, now }) =>
    when(
      lastFrameAt !== null && now - lastFrameAt <= 2 * hour && (lastFixAt === null || now - lastFixAt > 6 * hour),
      'warning',
      'noPlace',
      lastFixAt === null ? 'It speaks, but has never sent a place.' : `It speaks, but its last place is ${span(now - lastFixAt)} old.`,
      'Check the GPS antenna and whether it sees the sky.',
    ),
  ({ conflicts, lastConflictAt, now }) =>
    when(
      lastConflictAt !== null && now - lastConflictAt < 7 * day,
      'critical',
      'identityConflict',
      `Two devices use this identity at once (${conflicts} ${conflicts === 1 ? 'time' : 'times'}).`,
      'Look for a cloned IMEI: one of the two needs another identity.',
    ),
  ({ clockSkewMs }) =>
    when(
      clockSkewMs !== null && Math.abs(clockSkewMs) > 5 * minute,
      'warning',
      'clock',
      `Its clock is ${span(Math.abs(clockSkewMs ?? 0))} ${(clockSkewMs ?? 0) > 0 ? 'ahead' : 'behind'}.`,
      "Set it to UTC, or say how far it is off in the device's attributes.",
    ),
  ({ frames, bad }) =>
    when(
      share(bad.crc, frames) > 0.01,
      'warning',
      'checksum',
      `${bad.crc} of ${frames} frames had a wrong checksum.`,
      'A bad line or firmware: look at the frames below.',
    ),
  ({ frames, bad }) =>
    when(
      share(unreadableFrames(bad), frames) > 0.05,
      'warning',
      'notUnderstood',
      `${unreadableFrames(bad)} of ${frames} frames were not understood.`,
      'Check that it is set to the protocol of the port it reports to.',
    ),
  ({ frames, bad }) =>
    when(
      share(bad.clock, frames) > 0.01,
      'warning',
      'impossibleTime',
      `${bad.clock} of ${frames} frames were of a time that cannot be (before 2000, or over 24 hours ahead): they are kept below, not in its history.`,
      'Set its clock to UTC; after a long stop without power it may need a while under the sky first.',
    ),
  ({ refused, frames }) =>
    when(
      share(refused, frames) > 0.05,
      'warning',
      'refused',
      `${refused} positions were refused (0/0, out of range or of the future).`,
      'Check its GPS antenna and its clock.',
    ),
  ({ logins, days }) =>
    when(
      logins / Math.max(1, days) > 48,
      'warning',
      'reconnects',
      `It connects ${Math.round(logins / Math.max(1, days))} times a day.`,
      'Bad reception, a loose supply, or a heartbeat set longer than the network holds lines.',
    ),
  ({ lastDay: { coverage } }) =>
    when(
      coverage !== null && coverage < 0.8,
      'warning',
      'coverage',
      `Under way it reported ${percent(coverage)} of what its own interval promises.`,
      'Reception on its roads, or a buffer that is too small.',
    ),
  ({ lastDay: { validShare } }) =>
    when(
      validShare !== null && validShare < 0.9,
      'warning',
      'poorFixes',
      `${percent(1 - (validShare ?? 0))} of its places of the last day were without a fix.`,
      'Check the GPS antenna.',
    ),
  ({ lastDay: { satellites } }) =>
    when(
      satellites !== null && satellites < 5,
      'info',
      'fewSatellites',
      `It usually sees ${satellites} satellites.`,
      'Move the antenna to where it sees the sky.',
    ),
  ({ lastDay: { lateShare } }) =>
    when(
      lateShare !== null && lateShare > 0.2,
      'info',
      'late',
      `${percent(lateShare)} of its positions of the last day came more than 15 minutes late.`,
      'It stores and sends later: reception, or a power-saving mode.',
    ),
]

/** Returns the findings for a device's owner, the worst first; empty when there is no problem. */
export function findingsOf(condition: Condition): Finding[] {
  const order = { critical: 0, warning: 1, info: 2 } as const
  return checks
    .map((check) => check(condition))
    .filter((found) => found !== undefined)
    .toSorted((a, b) => order[a.severity] - order[b.severity])
}

function when(isSo: boolean, severity: Finding['severity'], code: string, text: string, advice: string): Finding | undefined {
  return isSo ? { severity, code, text, advice } : undefined
}

const total = (bad: Condition['bad']) => Object.values(bad).reduce((sum, count) => sum + count, 0)
/** Frames that could not be read; frames with an impossible time or place were readable and are not counted. */
const unreadableFrames = ({ crc: _crc, clock: _clock, place: _place, ...others }: Condition['bad']) => total(others)
const share = (part: number | undefined, of: number) => (part ?? 0) / Math.max(1, of)
const percent = (part: number | null) => `${Math.round((part ?? 0) * 100)} %`

/** A duration in words, in its two greatest units. */
function span(ms: number): string {
  const minutes = Math.round(ms / minute)
  if (minutes < 60) return `${minutes} min`
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  return `${Math.floor(minutes / 1440)} days`
}
