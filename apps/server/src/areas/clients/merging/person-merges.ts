import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'
import type { FieldDefinition, PanelDefinition } from '../../../kernel/types.ts'

const time = z.iso.datetime()
const text = z.string().nullable()

/** `a` is the record asked about, `b` the one that may be the same person; `score` to 100. */
export const duplicatesAnswer = z.strictObject({
  duplicates: z.array(
    z.strictObject({
      Id: identifierSchema,
      a: identifierSchema,
      b: identifierSchema,
      name: z.string(),
      phonenumber: z.string(),
      status: z.string(),
      city: text,
      dateCreated: time,
      score: z.int(),
      reasons: z.string(),
    }),
  ),
})

export const mergesAnswer = z.strictObject({
  merges: z.array(
    z.strictObject({
      Id: identifierSchema,
      dateCreated: time,
      loserId: identifierSchema,
      name: z.string(),
      phonenumber: z.string(),
      who: text,
      undoneAt: time.nullable(),
      until: time,
      state: z.enum(['OPEN', 'UNDONE', 'FINAL']),
    }),
  ),
})

const words = (label: string): FieldDefinition => ({ kind: 'text', label })
const moment = (label: string): FieldDefinition => ({ kind: 'dateTime', label })
const states = [
  { value: 'OPEN', label: 'Can be undone', colour: 'blue' },
  { value: 'UNDONE', label: 'Undone' },
  { value: 'FINAL', label: 'Final' },
]

interface DuplicatesPanel {
  one: string
  route: string
  /** Screen that merges `:a` and `:b`. */
  open: string
  statuses: FieldDefinition['options']
}

/** Tab with those who may be the same person. */
export const duplicatesPanel = ({ one, route, open, statuses }: DuplicatesPanel): PanelDefinition => ({
  key: 'duplicates',
  title: 'Duplicates',
  route,
  value: 'duplicates',
  open,
  fields: {
    name: words('Name'),
    score: { kind: 'percent', label: 'Likeness' },
    reasons: words('Because of'),
    phonenumber: words('Phone'),
    status: { kind: 'choice', label: 'Status', options: statuses },
    city: words('Town'),
    dateCreated: moment('Captured'),
  },
  empty: { title: `No ${one} looks like this one` },
})

/** Tab with what was merged into a record, and the way back. */
export const mergesPanel = ({ one, many, route, undo }: { one: string; many: string; route: string; undo: string }): PanelDefinition => ({
  key: 'merges',
  title: 'Merged',
  route,
  value: 'merges',
  fields: {
    name: words('Took over'),
    phonenumber: words('Phone'),
    dateCreated: moment('When'),
    who: words('Who'),
    state: { kind: 'choice', label: 'State', options: states },
    until: moment('Until'),
    undoneAt: moment('Undone'),
  },
  actions: [
    {
      route: undo,
      label: 'Undo the merge',
      scope: 'row',
      idField: 'id',
      visibleIf: { eq: ['state', 'OPEN'] },
      confirm: { title: 'Undo this merge?', body: `Both ${many} come back as they were. What was changed since the merge stays.` },
    },
  ],
  empty: { title: `Nothing was merged into this ${one}` },
})
