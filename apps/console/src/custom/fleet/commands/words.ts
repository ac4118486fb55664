/** What can be asked of a tracker, and what it needs to be told for that. */
export const commandTypes = [
  { value: 'positionSingle', label: 'Where are you?' },
  { value: 'positionPeriodic', label: 'Report every so many seconds', needs: 'frequency' },
  { value: 'getDeviceStatus', label: 'Ask for its status' },
  { value: 'getVersion', label: 'Ask for its version' },
  { value: 'rebootDevice', label: 'Restart the tracker' },
  { value: 'engineStop', label: 'Stop the engine', isDangerous: true },
  { value: 'engineResume', label: 'Release the engine' },
  { value: 'outputControl', label: 'Switch an output', needs: 'output', isDangerous: true },
  { value: 'alarmArm', label: 'Arm' },
  { value: 'alarmDisarm', label: 'Disarm' },
  { value: 'custom', label: 'Raw text', needs: 'data', isDangerous: true },
] as const satisfies readonly CommandType[]

export interface CommandType {
  value: string
  label: string
  needs?: 'frequency' | 'output' | 'data'
  /** Asks for a reason, and waits for a second person. */
  isDangerous?: boolean
}

export const typeOf = (value: string): CommandType | undefined => commandTypes.find((one) => one.value === value)

interface StateWord {
  label: string
  tone: 'good' | 'bad' | 'warn' | 'info' | 'quiet'
  /** Something still happens to it by itself. */
  isOpen?: boolean
}

/** A command's way in words that a dispatcher understands. */
export const states: Readonly<Record<string, StateWord>> = {
  asked: { label: 'Waits for a second person', tone: 'warn', isOpen: true },
  queued: { label: 'Waits for the device', tone: 'info', isOpen: true },
  sent: { label: 'Sent', tone: 'info', isOpen: true },
  acked: { label: 'Received by the device', tone: 'info', isOpen: true },
  done: { label: 'Done', tone: 'good' },
  failed: { label: 'Refused by the device', tone: 'bad' },
  expired: { label: 'Expired: the device did not call in time', tone: 'quiet' },
  cancelled: { label: 'Cancelled', tone: 'quiet' },
}
export const stateWord = (state: string): StateWord =>
  Object.hasOwn(states, state) ? (states[state] ?? { label: state, tone: 'quiet' }) : { label: state, tone: 'quiet' }
