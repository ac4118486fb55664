/** Alarm codes every model shares, by Traccar's alarm names. */
const common: Readonly<Record<number, string>> = {
  0x01: 'sos',
  0x02: 'powerCut',
  0x03: 'vibration',
  0x04: 'geofenceEnter',
  0x05: 'geofenceExit',
  0x06: 'overspeed',
  0x09: 'vibration',
  0x0c: 'tampering',
  0x0e: 'lowBattery',
  0x0f: 'lowBattery',
  0x11: 'powerOff',
  0x13: 'tampering',
  0x14: 'door',
  0x18: 'removing',
  0x19: 'lowBattery',
  0x1a: 'hardBraking',
  0x1b: 'hardCornering',
  0x23: 'fallDown',
  0x25: 'tampering',
  0x26: 'hardAcceleration',
  0x27: 'hardBraking',
  0x28: 'hardBraking',
  0x29: 'hardAcceleration',
  0x2a: 'hardCornering',
  0x2b: 'hardCornering',
  0x2c: 'accident',
  0x2e: 'hardCornering',
  0x30: 'jamming',
  0x32: 'tampering',
  0x33: 'lock',
  0x34: 'unlock',
  0x53: 'fuelLeak',
  0x5b: 'temperature',
  0x5c: 'temperature',
  0xc9: 'idle',
  0xf0: 'hardAcceleration',
  0xf1: 'hardBraking',
  0xf2: 'accident',
  0x107: 'jamming',
  0x10b: 'jamming',
}

type Family = 'lw' | 'seeworld' | 'vl' | 'trx'

/** Codes with another meaning on some models. */
const own: Readonly<Record<Family, Readonly<Record<number, string>>>> = {
  lw: { 0x18: 'accident', 0x19: 'hardAcceleration' },
  seeworld: { 0x28: 'hardCornering', 0x29: 'accident' },
  vl: { 0x09: 'tow', 0x28: 'powerOff', 0x30: 'hardBraking' },
  trx: { 0x09: 'geofence', 0x0e: 'lowPower' },
}

const vlModels = new Set(['VL103', 'LL303', 'VL512', 'G18'])

function familyOf(model: string): Family | null {
  if (model.startsWith('LW')) return 'lw'
  if (model === 'SEEWORLD') return 'seeworld'
  return vlModels.has(model) ? 'vl' : null
}

/** The alarm of a code on a model (upper case; empty when unknown); null for no alarm and for codes without a name. */
export function alarmOf(code: number, model: string, layout?: Family): string | null {
  const family = layout ?? familyOf(model)
  return (family && own[family][code]) ?? common[code] ?? null
}

/** Alarm codes of dash cameras (type 0x95). */
export const cameraAlarms: Readonly<Record<number, string>> = {
  0x0e: 'lowPower',
  0x76: 'temperature',
  0x80: 'vibration',
  0x87: 'overspeed',
  0x88: 'powerCut',
  0x90: 'hardAcceleration',
  0x91: 'hardBraking',
  0x92: 'hardCornering',
  0x93: 'accident',
}

/** Bits 3-5 of the status byte. */
export const statusAlarms: Readonly<Record<number, string>> = {
  1: 'vibration',
  2: 'powerCut',
  3: 'lowBattery',
  4: 'sos',
  6: 'geofence',
  7: 'removing',
}

/** Event codes of modular messages (type 0x70). */
export const moduleAlarms: Readonly<Record<number, string>> = {
  0x10: 'door',
  0x12: 'removing',
  0x14: 'geofenceEnter',
  0x15: 'geofenceExit',
  0x16: 'temperature',
  0x1a: 'lowBattery',
  0x1b: 'overspeed',
  0x1c: 'powerOn',
  0x1d: 'powerOff',
  0x20: 'vibration',
  0x21: 'powerCut',
  0x23: 'tampering',
}

/** Status of AZ735 alarms: 0xA0 and 0xA1 (armed, disarmed) are no alarms. */
export const az735Alarms: Readonly<Record<number, string>> = { 0xa2: 'lowBattery', 0xa3: 'lowBattery', 0xa4: 'general', 0xa5: 'door' }
