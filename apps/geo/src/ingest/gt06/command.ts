import type { DeviceCommand } from '../../commands/command.ts'
import { buildFrame } from './frame.ts'

/** Maximum text of a frame of type 0x80. */
const maxText = 240

/** A model that cuts by this wording and needs no password. */
const plainWords: ReadonlyMap<string, { engineStop: string; engineResume: string }> = new Map(
  Object.entries({ G109: { engineStop: 'DYD#', engineResume: 'HFYD#' } }),
)

/**
 * A command as a frame of type 0x80: length, four bytes of flag that the device repeats in its answer (the correlation), ASCII text.
 * Parameters: `data` (custom), `frequency` in seconds, `alternative` with `password` (wording of clones: DYD, HFYD), `language` (two
 * more bytes, for some firmware). Null when there is no such command.
 */
export function encodeCommand(command: DeviceCommand): Uint8Array | null {
  const text = textOf(command)
  if (text === null || text.length === 0 || text.length > maxText || !/^[\x20-\x7e]+$/.test(text)) return null
  const words = Buffer.from(text, 'latin1')
  const language = command.parameters.language ? [0, 2] : []
  const content = Buffer.alloc(5 + words.length + language.length)
  content.writeUInt8(4 + words.length, 0)
  content.writeUInt32BE(command.correlation >>> 0, 1)
  content.set(words, 5)
  content.set(language, 5 + words.length)
  return buildFrame({ type: 0x80, serial: command.correlation & 0xffff, content })
}

function textOf(command: DeviceCommand): string | null {
  const { parameters } = command
  switch (command.type) {
    case 'custom':
      return typeof parameters.data === 'string' ? parameters.data : null
    case 'engineStop':
    case 'engineResume':
      return cutText(command, command.type)
    case 'positionSingle':
      return 'WHERE#'
    case 'positionPeriodic':
      return seconds(parameters.frequency)
    case 'rebootDevice':
      return 'RESET#'
    case 'getVersion':
      return 'VERSION#'
    case 'getDeviceStatus':
      return 'STATUS#'
    default:
      return null
  }
}

function cutText({ model, parameters }: DeviceCommand, type: 'engineStop' | 'engineResume'): string {
  const plain = plainWords.get((model ?? '').toUpperCase())
  if (plain) return plain[type]
  if (parameters.alternative) return `${type === 'engineStop' ? 'DYD' : 'HFYD'},${parameters.password ?? '123456'}#`
  return type === 'engineStop' ? 'Relay,1#' : 'Relay,0#'
}

function seconds(frequency: unknown): string | null {
  const every = Number(frequency)
  return Number.isInteger(every) && every >= 5 && every <= 18_000 ? `TIMER,${every},${every}#` : null
}
