interface CommandType {
  label: string
  /** Its parameters; `output` is a number of an output and on or off. */
  needs?: 'frequency' | 'output' | 'data'
  /** It may stop a vehicle: it takes a reason and two people, and leaves only while the vehicle stands. No rule sends it. */
  mayStop?: true
  /** Nobody knows what it does: a second person approves it. */
  isUnknown?: true
  /** A meaning for lists. */
  colour?: 'red' | 'green' | 'orange'
}

/** What can be asked of a tracker, by Traccar's names, in the order in which it is offered. */
export const commandTypes = {
  positionSingle: { label: 'Where are you?' },
  positionPeriodic: { label: 'Report every so many seconds', needs: 'frequency' },
  getDeviceStatus: { label: 'Ask for its status' },
  getVersion: { label: 'Ask for its version' },
  rebootDevice: { label: 'Restart the tracker' },
  engineStop: { label: 'Stop the engine', mayStop: true, colour: 'red' },
  engineResume: { label: 'Release the engine', colour: 'green' },
  outputControl: { label: 'Switch an output', needs: 'output', mayStop: true },
  alarmArm: { label: 'Arm' },
  alarmDisarm: { label: 'Disarm' },
  custom: { label: 'Raw text', needs: 'data', isUnknown: true, colour: 'orange' },
} as const satisfies Record<string, CommandType>
export type CommandName = keyof typeof commandTypes

export const commandNames = Object.keys(commandTypes) as [CommandName, ...CommandName[]]

/** What is known of a command by its name. */
export const commandTypeOf = (name: string): CommandType | undefined =>
  Object.hasOwn(commandTypes, name) ? commandTypes[name as CommandName] : undefined

/** Names of the commands that take parameters. */
export const commandsThatNeed = (...needs: readonly NonNullable<CommandType['needs']>[]): CommandName[] =>
  commandNames.filter((name) => needs.some((need) => need === commandTypeOf(name)?.needs))

/** Parameters of a command, with their bounds. */
export const commandInputs = {
  frequency: { label: 'Seconds between reports', min: 1, max: 86_400 },
  index: { label: 'Output', min: 1, max: 4 },
  data: { label: 'Text as the tracker’s manual gives it', maxLength: 1_024 },
  reason: { label: 'Reason', maxLength: 500 },
} as const
/** Letters at least of the reason for what may stop a vehicle. */
export const shortestReason = 5

const usual = ['positionSingle', 'getVersion', 'rebootDevice', 'engineStop', 'engineResume', 'custom'] as const
/** What each protocol has a message for. */
const ofProtocol: ReadonlyMap<string, readonly CommandName[]> = new Map<string, readonly CommandName[]>([
  ['teltonika', [...usual, 'outputControl']],
  ['gt06', [...usual, 'positionPeriodic', 'getDeviceStatus']],
  ['h02', ['engineStop', 'engineResume', 'alarmArm', 'alarmDisarm', 'positionPeriodic', 'custom']],
])

/** Does a tracker of this protocol know the command? Undefined: nobody can say, as it has not reported yet or has no protocol of ours. */
export const knowsCommand = (protocol: string | null, name: string): boolean | undefined =>
  protocol === null ? undefined : ofProtocol.get(protocol)?.some((one) => one === name)
