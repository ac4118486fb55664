/** A sign of tampering; epoch milliseconds. `end` is null while it lasts. */
export interface TamperSignal {
  deviceId: string
  /** Name of an alarm, `tow` or `silence`. */
  kind: string
  start: number
  end: number | null
  latitude: number | null
  longitude: number | null
  /** Where it reappeared, or was towed to. */
  endLatitude: number | null
  endLongitude: number | null
}

export interface Incident {
  deviceId: string
  signals: TamperSignal[]
  start: number
  end: number | null
}

const incidentGapMs = 10 * 60_000

/** Groups ordered signals into incidents: a signal within ten minutes of the end of the previous one belongs to the same incident. */
export function incidentsOf(signals: Iterable<TamperSignal>): Incident[] {
  const incidents: Incident[] = []
  const open = new Map<string, Incident>()
  for (const signal of signals) {
    const before = open.get(signal.deviceId)
    if (before && (before.end === null || signal.start - before.end <= incidentGapMs)) {
      before.signals.push(signal)
      before.end = before.end === null || signal.end === null ? null : Math.max(before.end, signal.end)
    } else {
      const incident = { deviceId: signal.deviceId, signals: [signal], start: signal.start, end: signal.end }
      open.set(signal.deviceId, incident)
      incidents.push(incident)
    }
  }
  return incidents
}

const signalLabels: ReadonlyMap<string, string> = new Map(
  Object.entries({
    powerCut: 'power cut',
    powerOff: 'switched off',
    tampering: 'tampering',
    removing: 'device removed',
    gpsAntennaCut: 'antenna cut',
    jamming: 'jamming',
    bonnet: 'bonnet opened',
    tow: 'towed',
    silence: 'silence',
  }),
)

/** Describes an incident in order: "power cut, silence of 3 h 20 min, heard again". A repeated signal is mentioned once. */
export function describeIncident({ signals }: Incident, now: number): string {
  const parts = signals.flatMap(({ kind, start, end }) => {
    const word = signalLabels.get(kind) ?? kind
    if (kind !== 'silence') return [word]
    return end === null ? [`silence for ${span(now - start)}`] : [`silence of ${span(end - start)}`, 'heard again']
  })
  return parts.filter((part, index) => part !== parts[index - 1]).join(', ')
}

function span(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  return minutes < 60
    ? `${minutes} min`
    : minutes < 2_880
      ? `${Math.floor(minutes / 60)} h ${minutes % 60} min`
      : `${Math.floor(minutes / 1_440)} days`
}

const criticalKinds = new Set(['silence', 'tow', 'removing', 'jamming', 'gpsAntennaCut'])

/** Two kinds of signal at once, or one that a thief causes, are critical. */
export const severityOfIncident = ({ signals }: Incident): 'warning' | 'critical' =>
  signals.some(({ kind }) => criticalKinds.has(kind)) || new Set(signals.map(({ kind }) => kind)).size > 1 ? 'critical' : 'warning'
