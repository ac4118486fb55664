import { expect, it } from 'vitest'
import { readCards, readTable } from './read-cards.ts'
import { vcardOf } from './vcard.ts'

const card = (...lines: string[]) => ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\r\n')

it('reads what phones write: folded lines, groups, escapes, quoted-printable, a name in parts', () => {
  const file = [
    card('VERSION:3.0', 'N:Otieno;Mary Ann;;;', 'FN:Mary Ann Otieno', 'ORG:Moi\\; Sons\\, Ltd;Stores', 'TEL;TYPE=CELL:0712 345 678'),
    card(
      'VERSION:2.1',
      'N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=C3=89cole;Ren=C3=A9=',
      'e;;;',
      'TEL;CELL:+254700000001',
      'TEL;HOME:020 1',
    ),
    card('VERSION:4.0', 'FN:Long', ' er name', 'item1.TEL;VALUE=uri:tel:+254700000002', 'item1.EMAIL:a@example.org', 'NOTE:one\\ntwo'),
    card('VERSION:3.0', 'N:;;;;', 'ORG:Garage', 'TEL:1', 'TEL:1'),
  ].join('')
  expect(readCards(`\uFEFF${file}`)).toEqual([
    { row: 1, values: { name: 'Mary Ann Otieno', organisation: 'Moi; Sons, Ltd, Stores', phonenumber: '0712 345 678' } },
    { row: 2, values: { name: 'Renée École', phonenumber: '+254700000001', otherNumber: '020 1' } },
    { row: 3, values: { name: 'Longer name', phonenumber: '+254700000002', emailAddress: 'a@example.org', notes: 'one\ntwo' } },
    { row: 4, values: { name: 'Garage', organisation: 'Garage', phonenumber: '1' } },
  ])
})

it('reads back what the phone book writes', () => {
  const given = {
    name: 'Zed; Garage',
    organisation: 'A\\B',
    jobTitle: 'Head',
    phonenumber: '0712',
    otherNumber: '0713',
    emailAddress: 'z@example.org',
  }
  expect(readCards(vcardOf({ id: '0190', ...given }))).toEqual([{ row: 1, values: given }])
})

it('reads a table by its headings, and leaves out columns that nobody knows', () => {
  expect(
    readTable([
      ['Full name', 'Mobile', 'E-mail', 'Shoe size', 'Seen by'],
      ['Ann', '0712', '', '41', 'SHARED'],
      ['', '', '', '', ''],
      ['Ben', '', 'ben@example.org'],
    ]),
  ).toEqual([
    { row: 2, values: { name: 'Ann', phonenumber: '0712', visibility: 'SHARED' } },
    { row: 4, values: { name: 'Ben', emailAddress: 'ben@example.org' } },
  ])
})
