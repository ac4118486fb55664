/** A value that an event may say beside its kind, device and place. */
export interface EventValue {
  label: string
  kind: 'number' | 'yesNo' | 'text'
  unit?: string
}

/** Values by the names that rules ask for; a device may send others, which are kept as they are. */
export const eventValues = {
  speed: { label: 'Speed', kind: 'number', unit: 'km/h' },
  speedLimit: { label: 'Speed limit that held', kind: 'number', unit: 'km/h' },
  ignition: { label: 'Ignition', kind: 'yesNo' },
  motion: { label: 'The tracker feels motion', kind: 'yesNo' },
  charge: { label: 'The tracker is charged', kind: 'yesNo' },
  door: { label: 'Door open', kind: 'yesNo' },
  power: { label: 'Voltage of the vehicle', kind: 'number', unit: 'V' },
  battery: { label: 'Voltage of the tracker’s battery', kind: 'number', unit: 'V' },
  batteryLevel: { label: 'Battery of the tracker', kind: 'number', unit: '%' },
  fuel: { label: 'Fuel', kind: 'number', unit: 'l' },
  fuelLevel: { label: 'Fuel level', kind: 'number', unit: '%' },
  temp1: { label: 'Temperature', kind: 'number', unit: '°C' },
  rpm: { label: 'Engine speed', kind: 'number', unit: 'rpm' },
  odometer: { label: 'Odometer of the tracker', kind: 'number', unit: 'm' },
  sat: { label: 'Satellites', kind: 'number' },
  driverUniqueId: { label: 'Key of the driver', kind: 'text' },
  metres: { label: 'Distance driven', kind: 'number', unit: 'm' },
  isTowed: { label: 'Towed', kind: 'yesNo' },
  dwellSeconds: { label: 'Time in the fence', kind: 'number', unit: 's' },
  result: { label: 'Answer of the device', kind: 'text' },
} as const satisfies Record<string, EventValue>

export type EventValueName = keyof typeof eventValues

/** What a message of a tracker may say; an event that comes from a message has it too. */
const ofMessage: readonly EventValueName[] = [
  'speed',
  'ignition',
  'power',
  'battery',
  'batteryLevel',
  'fuel',
  'fuelLevel',
  'temp1',
  'rpm',
  'odometer',
  'door',
  'motion',
  'charge',
  'sat',
  'driverUniqueId',
]
const byType: ReadonlyMap<string, readonly EventValueName[]> = new Map<string, readonly EventValueName[]>([
  ['alarm', ofMessage],
  ['ignitionOn', ofMessage.filter((name) => name !== 'ignition')],
  ['ignitionOff', ofMessage.filter((name) => name !== 'ignition')],
  ['driverChanged', ofMessage],
  ['deviceOverspeed', ['speed', 'speedLimit']],
  ['deviceMoving', ['isTowed']],
  ['deviceStopped', ['metres']],
  ['geofenceDwell', ['dwellSeconds']],
  ['commandResult', ['result']],
])

/** What an event of this type says, by which a rule can narrow it; a crossing is found between two messages and says none of theirs. */
export const valuesOfEvent = (type: string): readonly EventValueName[] => byType.get(type) ?? []
