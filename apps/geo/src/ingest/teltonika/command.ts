import type { DeviceCommand } from '../../commands/command.ts'
import { crcOf } from './crc.ts'

const request = 0x05

/**
 * A command as a Codec 12 packet: custom {data}, engineStop, engineResume, outputControl {index, data}, positionSingle, rebootDevice,
 * getVersion. With the parameter `codec` 14 the packet carries the IMEI, and any other device refuses it. Null when Teltonika has no
 * such command or its text is not plain ASCII; custom data of hex digits is bytes.
 */
export function encodeCommand({ type, parameters, uniqueId }: DeviceCommand): Uint8Array | null {
  const text = textOf(type, parameters)
  const content = text === null ? null : contentOf(text, type)
  if (!content) return null
  if (parameters.codec !== 14) return sealed(Buffer.concat([Buffer.from([0x0c, 1, request]), lengthOf(content), content, Buffer.from([1])]))
  if (!/^\d{1,16}$/.test(uniqueId)) return null
  const addressed = Buffer.concat([Buffer.from(uniqueId.padStart(16, '0'), 'hex'), content])
  return sealed(Buffer.concat([Buffer.from([0x0e, 1, request]), lengthOf(addressed), addressed, Buffer.from([1])]))
}

function textOf(type: string, parameters: DeviceCommand['parameters']): string | null {
  switch (type) {
    case 'custom':
      return typeof parameters.data === 'string' ? parameters.data : null
    case 'engineStop':
      return 'setdigout 1'
    case 'engineResume':
      return 'setdigout 0'
    case 'outputControl':
      return outputControl(Number(parameters.index), Number(parameters.data))
    case 'positionSingle':
      return 'getrecord'
    case 'rebootDevice':
      return 'cpureset'
    case 'getVersion':
      return 'getver'
    default:
      return null
  }
}

/** A custom command of hex digits alone is bytes, for the device on the serial port; all other commands are text. */
function contentOf(text: string, type: string): Buffer | null {
  if (type === 'custom' && /^([0-9a-f]{2}){1,1024}$/i.test(text)) return Buffer.from(text, 'hex')
  return /^[\x20-\x7e\r\n]{1,1024}$/.test(text) ? Buffer.from(text, 'latin1') : null
}

/** `?` leaves the preceding outputs unchanged. */
function outputControl(index: number, data: number): string | null {
  return [1, 2, 3, 4].includes(index) && [0, 1].includes(data) ? `setdigout ${'?'.repeat(index - 1)}${data}` : null
}

function lengthOf(content: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(content.length)
  return bytes
}

/** The data field as a complete packet: four zeros and its length in front, the CRC after it. */
export function sealed(data: Uint8Array): Uint8Array {
  const crc = Buffer.alloc(4)
  crc.writeUInt32BE(crcOf(data))
  return new Uint8Array(Buffer.concat([Buffer.alloc(4), lengthOf(data), data, crc]))
}
