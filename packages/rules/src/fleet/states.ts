/** What a vehicle does now, in the order of what needs a look first: its word, and the meaning of its colour, the same on every map, list and chart. */
export const vehicleStates = {
  alarm: { label: 'Alarm', tone: 'bad' },
  moving: { label: 'Moving', tone: 'good' },
  towed: { label: 'Towed', tone: 'odd' },
  idling: { label: 'Idling', tone: 'warn' },
  stopped: { label: 'Stopped', tone: 'info' },
  offline: { label: 'Offline', tone: 'quiet' },
  unlinked: { label: 'Without tracker', tone: 'quiet' },
} as const

export type VehicleState = keyof typeof vehicleStates

/** The state of its name; offline for what is none (unknown, switched off). */
export const vehicleStateOf = (told: unknown): VehicleState =>
  typeof told === 'string' && Object.hasOwn(vehicleStates, told) ? (told as VehicleState) : 'offline'

/** The state of an asset by the device that says where it is, or else by the first on it. */
export const assetState = (
  main: { alarm: string | null; state: string } | undefined,
  [first]: readonly { state: string }[],
): VehicleState => (main?.alarm ? 'alarm' : vehicleStateOf(main?.state ?? first?.state ?? 'unlinked'))

/** A device moves when its fix is valid and faster than a walk, km/h. */
export const movingKmh = 5
