import { expect, it } from 'vitest'
import { defineArea, may, route } from '../../apps/server/src/kernel/area.ts'
import { defineResource } from '../../apps/server/src/kernel/resource/define.ts'
import { create, get, list, update } from '../../apps/server/src/kernel/resource/operations.ts'
import { catalogueOf } from '../../apps/server/src/kernel/screens/catalogue.ts'
import { describeForm } from '../../apps/server/src/kernel/screens/describe/form.ts'
import { describeList } from '../../apps/server/src/kernel/screens/describe/describe.ts'
import { formOf, listOf, screen } from '../../apps/server/src/kernel/screens/screen.ts'
import type { Ctx } from '../../apps/server/src/kernel/types.ts'

const note = defineResource({
  model: 'languageLabel',
  one: 'note',
  many: 'notes',
  label: 'Note',
  labelMany: 'Notes',
  title: 'label',
  writtenBy: 'company',
  fields: {
    label: { kind: 'text', label: 'Name', required: true, help: 'Empty: yours', editHelp: 'Empty: nobody’s' },
    value: { kind: 'text', label: 'Value', askedIn: 'edit' },
    language: { kind: 'text', label: 'Language', askedIn: 'new' },
    due: { kind: 'dateTime', label: 'Due', sql: 'now()', begins: 2, isBeside: true },
    day: { kind: 'date', label: 'Day', sql: 'now()', begins: 'today', isBeside: true },
    made: { kind: 'date', label: 'Made', sql: 'now()' },
    friends: { kind: 'multiReference', label: 'Friends', to: 'nobodyMayRead', sql: `'[]'::json` },
  },
  list: { columns: ['label', 'value', 'day'], sort: ['label', 'ASC'], size: 10 },
  form: [['label', 'value'], ['language'], ['due', 'day'], ['friends'], ['made']],
})
const access = may('ADMIN/SETTINGS')
const area = defineArea({
  name: 'notes',
  resources: [note],
  routes: [
    route('notes.list', 'GET', '/api/notes', access, list(note)),
    route('notes.get', 'GET', '/api/notes/:id', access, get(note)),
    route('notes.create', 'POST', '/api/notes', access, create(note)),
    route('notes.update', 'PUT', '/api/notes/:id', access, update(note)),
  ],
  screens: [
    screen('/notes', access, listOf(note)),
    screen('/notes/add', access, formOf(note)),
    screen('/notes/edit/:id', access, formOf(note)),
  ],
})
const ctx = {
  permissions: new Set(['ADMIN/SETTINGS']),
  isGlobalAdministrator: false,
  company: { timeZone: 'Africa/Nairobi' },
} as unknown as Ctx
const catalogue = catalogueOf([area])
const [listScreen, addScreen, editScreen] = area.screens
const form = (of: typeof addScreen) => describeForm(ctx, catalogue, of!, of!.view as Parameters<typeof describeForm>[3])
const fieldsOf = (of: typeof addScreen) => Object.fromEntries(form(of).fields.map((field) => [field.key, field]))

it('asks of a new record and of an edited one what is declared for each', () => {
  expect(form(addScreen).sections).toEqual([{ rows: [['label'], ['language'], ['due', 'day'], ['made']] }])
  expect(form(editScreen).sections).toEqual([{ rows: [['label', 'value'], ['due', 'day'], ['made']] }])
})

it('begins a new record at an hour or today, and says what leaving it empty means', () => {
  const [added, edited] = [fieldsOf(addScreen), fieldsOf(editScreen)]
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Nairobi' }).format(new Date())
  expect([added['due']?.defaultHour, added['day']?.defaultValue, added['label']?.help]).toEqual([2, today, 'Empty: yours'])
  expect([edited['due']?.defaultHour, edited['day']?.defaultValue, edited['label']?.help]).toEqual([
    undefined,
    undefined,
    'Empty: nobody’s',
  ])
})

it('asks what the call takes beside the fields; what is computed otherwise is only shown, and cells of the list change neither', () => {
  const { due, made, friends } = fieldsOf(editScreen)
  expect([due?.readOnly, made?.readOnly, friends]).toEqual([undefined, true, undefined])
  const view = describeList(ctx, catalogue, listScreen!, listScreen!.view as Parameters<typeof describeList>[3])
  expect(view.inline?.fields.map(({ key }) => key)).toEqual(['label', 'value'])
})
