/** How much an event matters when no rule says otherwise. */
export type Severity = 'info' | 'warning' | 'critical'

interface Known {
  label: string
  severity: Severity
}

const known = (label: string, severity: Severity = 'info'): Known => ({ label, severity })

/** Every type of event, by Traccar's names so that its feed maps one to one; below the line are our own. */
export const eventTypes = {
  commandResult: known('Command answered'),
  deviceOnline: known('Device online'),
  deviceUnknown: known('Device quiet'),
  deviceOffline: known('Device offline', 'warning'),
  deviceInactive: known('Device inactive', 'warning'),
  queuedCommandSent: known('Waiting command sent'),
  deviceMoving: known('Started moving'),
  deviceStopped: known('Stopped'),
  deviceOverspeed: known('Too fast', 'warning'),
  deviceFuelDrop: known('Fuel dropped', 'critical'),
  deviceFuelIncrease: known('Fuel filled'),
  geofenceEnter: known('Entered a fence'),
  geofenceExit: known('Left a fence'),
  geofenceCrossed: known('Passed through a fence'),
  proximityEnter: known('Came near another device'),
  proximityExit: known('Left another device'),
  unaccompaniedMotion: known('Moves without its companion', 'critical'),
  alarm: known('Alarm', 'warning'),
  ignitionOn: known('Ignition on'),
  ignitionOff: known('Ignition off'),
  maintenance: known('Maintenance due', 'warning'),
  driverChanged: known('Driver changed'),
  media: known('Picture or film'),
  // Not in Traccar:
  geofenceDwell: known('Stayed in a fence'),
  geofenceInsideAtStart: known('Was in a fence when first seen'),
  geofenceNotInside: known('Not in a fence at its time', 'warning'),
  geofenceNotOutside: known('In a fence when it should not be', 'warning'),
  deviceIdle: known('Idling too long', 'warning'),
} as const satisfies Record<string, Known>

export type EventType = keyof typeof eventTypes

/** Every name an alarm may have, by Traccar's names; a device may send others, which are kept as they are. */
export const alarms = {
  general: known('General alarm', 'warning'),
  sos: known('SOS', 'critical'),
  vibration: known('Vibration', 'warning'),
  movement: known('Movement', 'warning'),
  lowspeed: known('Too slow'),
  overspeed: known('Too fast', 'warning'),
  fallDown: known('Fell down', 'critical'),
  lowPower: known('Low power', 'warning'),
  lowBattery: known('Low battery', 'warning'),
  fault: known('Fault', 'warning'),
  powerOff: known('Switched off', 'warning'),
  powerOn: known('Switched on'),
  door: known('Door', 'warning'),
  lock: known('Locked'),
  unlock: known('Unlocked'),
  geofence: known('Fence of the device'),
  geofenceEnter: known('Entered a fence of the device'),
  geofenceExit: known('Left a fence of the device', 'warning'),
  gpsAntennaCut: known('GPS aerial cut', 'critical'),
  accident: known('Crash', 'critical'),
  tow: known('Towed', 'critical'),
  idle: known('Idling'),
  highRpm: known('High revs', 'warning'),
  hardAcceleration: known('Hard acceleration', 'warning'),
  hardBraking: known('Hard braking', 'warning'),
  hardCornering: known('Hard cornering', 'warning'),
  laneChange: known('Lane change'),
  fatigueDriving: known('Tired driving', 'warning'),
  powerCut: known('Power cut', 'critical'),
  powerRestored: known('Power restored'),
  jamming: known('Jamming', 'critical'),
  temperature: known('Temperature', 'warning'),
  parking: known('Parking'),
  bonnet: known('Bonnet opened', 'critical'),
  footBrake: known('Foot brake'),
  fuelLeak: known('Fuel leak', 'critical'),
  tampering: known('Tampering', 'critical'),
  removing: known('Device removed', 'critical'),
} as const satisfies Record<string, Known>

/** An event of a device as lists and sockets carry it; km/h, degrees, times in ISO 8601 UTC. */
export interface LiveEvent {
  id: string
  /** Grows with each change, over all events: of two of one event the greater counts. */
  seq: number
  deviceId: string
  /** Its name. */
  device: string
  type: string
  eventTime: string
  severity: Severity
  /** Which alarm, where it is one. */
  alarm: string | null
  latitude: number | null
  longitude: number | null
  speed: number | null
  geofenceId: string | null
  /** Its name. */
  geofence: string | null
  /** The rule that counts it, and its name. */
  eventIoId: string | null
  eventIo: string | null
  /** It was older than 15 minutes when it was learnt of. */
  isLate: boolean
  /** A later place showed that it was none. */
  isSuperseded: boolean
  acknowledgedBy: string | null
  acknowledgedAt: string | null
}
