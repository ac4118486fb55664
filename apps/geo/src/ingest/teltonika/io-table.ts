/** The meaning of one IO element; `bytes` is the widest value that may mean this, so that an id of another model is not misread. */
export type IoMeaning =
  | { kind: 'number'; name: string; bytes: 1 | 2 | 4 | 8; isSigned?: boolean; divide?: number; times?: number; faults?: readonly number[] }
  | { kind: 'flag'; name: string }
  /** `values` apply whenever the element is present; `onEvent` only in the record that the element caused. */
  | { kind: 'alarm'; values?: Readonly<Record<number, string>>; onEvent?: Readonly<Record<number, string>> }
  /** Eight bytes that are an identifier (a driver's key, a SIM), not a quantity. */
  | { kind: 'key'; name: string; as: 'littleEndianHex' | 'hex' | 'digits' }

export type IoTable = Readonly<Record<number, IoMeaning>>
type Reading = Pick<Extract<IoMeaning, { kind: 'number' }>, 'isSigned' | 'divide' | 'times' | 'faults'>

const number = (name: string, bytes: 1 | 2 | 4 | 8, reading: Reading = {}): IoMeaning => ({ kind: 'number', name, bytes, ...reading })
const flag = (name: string): IoMeaning => ({ kind: 'flag', name })
const alarm = (values: Record<number, string>, onEvent?: Record<number, string>): IoMeaning => ({
  kind: 'alarm',
  values,
  ...(onEvent && { onEvent }),
})
const signed = { isSigned: true } as const
/** What a sensor sends instead of a temperature: not ready, read error, not connected, wrong id, wrong state. */
const dallas = { isSigned: true, divide: 10, faults: [850, 2000, 3000, 4000, 5000] } as const
const ble = { isSigned: true, divide: 100, faults: [2000, 3000, 4000, 5000, 32_767] } as const

/** Four consecutive ids for the sensors 1 to 4. */
function four(first: number, meaning: (sensor: number) => IoMeaning): IoTable {
  return Object.fromEntries([1, 2, 3, 4].map((sensor) => [first + sensor - 1, meaning(sensor)]))
}

/** Ids every family shares. Volts, metres, km/h, degrees Celsius, litres and milli-g, by Traccar's names. */
const common: IoTable = {
  ...four(1, (input) => flag(`in${input}`)),
  16: number('odometer', 4),
  17: number('axisX', 2, signed),
  18: number('axisY', 2, signed),
  19: number('axisZ', 2, signed),
  21: number('rssi', 1),
  ...four(25, (sensor) => number(`bleTemp${sensor}`, 2, ble)),
  66: number('power', 2, { divide: 1000 }),
  67: number('battery', 2, { divide: 1000 }),
  69: number('gnssStatus', 1),
  78: { kind: 'key', name: 'driverUniqueId', as: 'littleEndianHex' },
  175: { kind: 'alarm', onEvent: { 0: 'geofenceExit', 1: 'geofenceEnter' } },
  179: flag('out1'),
  180: flag('out2'),
  181: number('pdop', 2, { divide: 10 }),
  182: number('hdop', 2, { divide: 10 }),
  199: number('tripOdometer', 4),
  205: number('cellId', 4),
  206: number('lac', 2),
  236: alarm({ 1: 'general' }),
  239: flag('ignition'),
  240: flag('motion'),
  241: number('operator', 4),
  253: alarm({ 1: 'hardAcceleration', 2: 'hardBraking', 3: 'hardCornering' }),
}

/** FMB, FMC, FMM, FMP, FTC, MTB, also used for unknown models; OBD values in the FMB models' units. */
const fmb: IoTable = {
  9: number('adc1', 2, { divide: 1000 }),
  10: number('adc2', 2, { divide: 1000 }),
  11: { kind: 'key', name: 'iccid', as: 'digits' },
  12: number('fuelUsed', 4, { divide: 1000 }),
  13: number('fuelConsumption', 2, { divide: 100 }),
  24: number('ioSpeed', 2),
  30: number('faultCount', 1),
  31: number('engineLoad', 1),
  32: number('coolantTemp', 1, signed),
  36: number('rpm', 2),
  43: number('milDistance', 2, { times: 1000 }),
  57: number('hybridBatteryLevel', 1),
  68: number('batteryCurrent', 2, { divide: 1000 }),
  ...four(72, (sensor) => number(`temp${sensor}`, 4, dallas)),
  80: number('dataMode', 1),
  81: number('obdSpeed', 1),
  82: number('throttle', 1),
  83: number('fuelUsed', 4, { divide: 10 }),
  84: number('fuel', 2, { divide: 10 }),
  85: number('rpm', 2),
  87: number('obdOdometer', 4),
  89: number('fuelLevel', 1),
  107: number('fuelUsed', 4, { divide: 10 }),
  110: number('fuelConsumption', 2, { divide: 10 }),
  113: number('batteryLevel', 1),
  115: number('engineTemp', 2, { isSigned: true, divide: 10 }),
  200: number('sleepMode', 1),
  246: alarm({ 1: 'tow' }),
  247: alarm({ 1: 'accident', 2: 'accident', 3: 'accident', 4: 'accident', 5: 'accident', 6: 'accident' }),
  249: alarm({ 1: 'jamming' }),
  251: alarm({ 1: 'idle' }),
  252: alarm({ 1: 'powerCut' }, { 0: 'powerRestored' }),
  303: flag('instantMotion'),
  636: number('cellId4g', 4),
  662: flag('door'),
  800: number('power', 4, { divide: 1000 }),
  ...four(10_644, (probe) => number(`tempProbe${probe}`, 2, ble)),
  10_648: number('tempProbe5', 2, ble),
  10_649: number('tempProbe6', 2, ble),
  ...four(10_800, (eye) => number(`eyeTemp${eye}`, 2, ble)),
  ...four(10_804, (eye) => number(`eyeHumidity${eye}`, 1)),
  ...four(10_808, (eye) => flag(`eyeMagnet${eye}`)),
  ...four(10_812, (eye) => flag(`eyeMotion${eye}`)),
  ...four(10_832, (eye) => number(`eyeRoll${eye}`, 2, signed)),
}

/** Professional FM.6 models: 80 to 89 are CAN values of other units there, and stay io<N>. */
const fm6: IoTable = {
  ...Object.fromEntries(Object.entries(fmb).filter(([id]) => Number(id) < 80 || Number(id) > 89)),
  ...four(701, (sensor) => number(`bleTemp${sensor}`, 2, { isSigned: true, divide: 10 })),
}
/** Plugged into the OBD port: the odometer of the car, in kilometres on the wire. */
const obdDongle: IoTable = { ...fmb, 389: number('obdOdometer', 4, { times: 1000 }) }

/** GH3000, which speaks a codec of its own. */
export const gh3000Ios: IoTable = {
  1: number('batteryLevel', 1),
  2: flag('usbConnected'),
  5: number('uptime', 4),
  20: number('hdop', 2, { divide: 10 }),
  21: number('vdop', 2, { divide: 10 }),
  22: number('pdop', 2, { divide: 10 }),
  67: number('battery', 2, { divide: 1000 }),
  221: number('button', 1),
  222: alarm({ 1: 'sos' }),
  240: flag('motion'),
  244: flag('roaming'),
}

/** Models whose ids have another meaning, the most specific first; a new model is one line here. */
const families: readonly { matches: RegExp; ios: IoTable }[] = [
  { matches: /^F[MT].00[1-9]/, ios: { ...common, ...obdDongle } },
  { matches: /^FM.6/, ios: { ...common, ...fm6 } },
  { matches: /^(T.T|GH|TM)/, ios: common },
]
const usual: IoTable = { ...common, ...fmb }

/** The meaning of a model's IO ids; an unknown model is read as one of the FMB family. */
export function ioTableOf(model: string | null): IoTable {
  const name = model?.trim().toUpperCase()
  return families.find(({ matches }) => name && matches.test(name))?.ios ?? usual
}
