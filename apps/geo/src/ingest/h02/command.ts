import type { DeviceCommand } from '../../commands/command.ts'

/**
 * A command as a sentence. The device repeats its timestamp (`hhmmss`) in the answer, so it is the correlation: a second of the day,
 * UTC. Parameters: `data` (custom, a whole sentence or the part after the identity), `frequency` in seconds, `alternative` (D1 instead
 * of S71), `pulsed` (cut in pulses instead of at once). Null when there is no such command.
 */
export function encodeCommand(command: DeviceCommand): Uint8Array | null {
  const text = command.type === 'custom' ? customOf(command) : sentenceOf(command)
  return text !== null && /^\*[\x20-\x22\x24-\x7e]+#$/.test(text) ? new TextEncoder().encode(text) : null
}

function customOf({ uniqueId, parameters }: DeviceCommand): string | null {
  if (typeof parameters.data !== 'string' || parameters.data === '') return null
  return parameters.data.startsWith('*') ? parameters.data : `*HQ,${uniqueId},${parameters.data.replace(/#$/, '')}#`
}

function sentenceOf(command: DeviceCommand): string | null {
  const parts = partsOf(command)
  if (!parts) return null
  const [kind, ...rest] = parts
  return `*HQ,${[command.uniqueId, kind, stampOf(command.correlation), ...rest].join(',')}#`
}

function partsOf({ type, parameters }: DeviceCommand): (string | number)[] | null {
  const way = parameters.pulsed ? 0 : 1
  const every = Number(parameters.frequency)
  switch (type) {
    case 'engineStop':
      return ['S20', way, 1]
    case 'engineResume':
      return ['S20', 1, 0]
    case 'alarmArm':
      return ['SCF', 0, 0]
    case 'alarmDisarm':
      return ['SCF', 1, 1]
    case 'positionPeriodic':
      return Number.isInteger(every) && every > 0 ? (parameters.alternative ? ['D1', every] : ['S71', 22, every]) : null
    default:
      return null
  }
}

function stampOf(correlation: number): string {
  const second = Math.abs(Math.trunc(correlation)) % 86_400
  return [Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60].map((part) => String(part).padStart(2, '0')).join('')
}
