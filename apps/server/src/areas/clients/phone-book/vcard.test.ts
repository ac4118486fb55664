import { expect, it } from 'vitest'
import { vcardOf } from './vcard.ts'

const nobody = { id: '0190', organisation: null, jobTitle: null, phonenumber: null, otherNumber: null, emailAddress: null }

it('writes a card that phones read: escaped, folded at 75 bytes, without a character cut in two', () => {
  const card = vcardOf({ ...nobody, name: 'Mary Ann Otieno', organisation: 'Moi; Sons, Ltd\nNairobi', phonenumber: '0712345678' })
  expect(card.split('\r\n')).toEqual([
    'BEGIN:VCARD',
    'VERSION:3.0',
    'UID:urn:uuid:0190',
    'N:Otieno;Mary Ann;;;',
    'FN:Mary Ann Otieno',
    'ORG:Moi\\; Sons\\, Ltd\\nNairobi',
    'TEL;TYPE=CELL:0712345678',
    'END:VCARD',
    '',
  ])
  const long = vcardOf({ ...nobody, name: 'É'.repeat(80) })
  expect(long.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
  expect(long.replaceAll('\r\n ', '')).toContain(`FN:${'É'.repeat(80)}\r\n`)
})
