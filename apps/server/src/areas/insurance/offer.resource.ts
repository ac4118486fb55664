import { fail, failField } from '@outpost/contract/errors'
import type { Condition } from '@outpost/contract/fields'
import type { ModelRow } from '@outpost/platform/db/models'
import { may } from '../../kernel/area.ts'
import { recordNumber } from '../../kernel/keeps/numbering.ts'
import { isSameLines } from '../../kernel/relations/same-lines.ts'
import { defineResource, resourceNamed } from '../../kernel/resource/define.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { changedColumns } from '../../kernel/resource/unchanged.ts'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import { capRefusal } from './caps.ts'

const whole = { kind: 'number', min: 0, max: 1_000 } as const

/** A line of an offer's table: the first that fits counts; what is empty fits everybody. */
export const insuranceBand = defineResource({
  model: 'insuranceBand',
  one: 'insuranceBand',
  many: 'insuranceBands',
  label: 'Line',
  labelMany: 'Table',
  title: 'rate',
  fields: {
    ageTo: { ...whole, label: 'Age up to' },
    monthsTo: { ...whole, label: 'Months up to' },
    vehicleAgeTo: { ...whole, label: 'Vehicle’s years up to' },
    rate: { kind: 'number', label: 'Percent of the sum', required: true, min: 0, max: 100 },
    position: { kind: 'number', label: 'Position', readOnly: true, detailOnly: true },
  },
  list: { columns: ['ageTo', 'monthsTo', 'vehicleAgeTo', 'rate'], sort: ['position', 'ASC'], size: 100 },
})

const edit = may('ADMIN/INSURANCE/EDIT')
const isTable: Condition = { eq: ['premiumRule', 'table'] }

/** What an insurer offers to borrowers. An active offer is not changed: it is withdrawn, and another one takes its place. */
export const insuranceOffer = defineResource({
  model: 'insuranceOffer',
  one: 'insuranceOffer',
  many: 'insuranceOffers',
  label: 'Insurance offer',
  labelMany: 'Insurance offers',
  title: 'offerNumber',
  writtenBy: 'company',
  isSoftDeleted: true,
  workflow: {
    field: 'state',
    route: 'insurance.move',
    states: {
      Draft: { meaning: 'open', colour: 'blue' },
      Active: { meaning: 'done', colour: 'green' },
      Withdrawn: { meaning: 'cancelled', colour: 'default' },
    },
    kept: { reason: 'stateReason' },
    moves: [
      { name: 'activate', label: 'Activate', from: ['Draft'], to: 'Active', access: edit, refuse: capRefusal },
      {
        name: 'withdraw',
        label: 'Withdraw',
        from: ['Active'],
        to: 'Withdrawn',
        access: edit,
        danger: true,
        ask: { reason: { kind: 'text', label: 'Reason', required: true, maxLength: 300 } },
      },
    ],
  },
  fields: {
    offerNumber: recordNumber({ prefix: 'I-', digits: 4 }, 'Offer'),
    insurer: { kind: 'text', label: 'Insurer', required: true, maxLength: 120 },
    name: { kind: 'text', label: 'Cover', required: true, maxLength: 120 },
    coverType: {
      kind: 'choice',
      label: 'Kind of cover',
      required: true,
      options: ['Credit life', 'Motor', 'Asset', 'Funeral', 'Health'].map((value) => ({ value, label: value, colour: 'blue' })),
    },
    hasDisability: {
      kind: 'boolean',
      label: 'Covers temporary disability',
      defaultValue: false,
      visibleIf: { eq: ['coverType', 'Credit life'] },
    },
    premiumRule: {
      kind: 'choice',
      label: 'Premium',
      required: true,
      options: [
        { value: 'flat', label: 'An amount' },
        { value: 'percent', label: 'Percent of the loan' },
        { value: 'perMille', label: 'Per 1,000 owed a month' },
        { value: 'table', label: 'By a table' },
      ],
    },
    rate: {
      kind: 'number',
      label: 'Amount, percent or per 1,000',
      min: 0,
      max: 999_999_999,
      visibleIf: { not: isTable },
      requiredIf: { not: isTable },
    },
    bands: { kind: 'lines', label: 'Table', of: insuranceBand, by: 'offerId', max: 100 },
    minimum: { kind: 'money', label: 'Lowest premium', currency: 'company', min: 0 },
    levies: { kind: 'percent', label: 'Levies on top', min: 0, max: 100, defaultValue: 0 },
    stamp: {
      kind: 'money',
      label: 'Stamp duty',
      currency: 'company',
      min: 0,
      defaultValue: 0,
      help: 'An amount on top, once, after the levies',
      visibleIf: { not: { eq: ['premiumRule', 'perMille'] } },
    },
    commission: { kind: 'percent', label: 'Commission within', min: 0, max: 100, defaultValue: 0 },
    papers: { kind: 'tags', label: 'Papers it needs', maxLength: 60 },
    validFrom: { kind: 'date', label: 'Valid from', required: true },
    validUntil: { kind: 'date', label: 'Valid until' },
    isValid: {
      kind: 'boolean',
      label: 'On offer today',
      readOnly: true,
      sql: `t."state" = 'Active' and t."validFrom" <= ctx.today() and (t."validUntil" is null or t."validUntil" >= ctx.today())`,
    },
    note: { kind: 'longText', label: 'Note', maxLength: 1_000 },
    state: { kind: 'choice', label: 'State', readOnly: true },
    stateReason: { kind: 'text', label: 'Reason', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'Made', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: [
      'offerNumber',
      'insurer',
      'name',
      'coverType',
      'premiumRule',
      'rate',
      'minimum',
      'state',
      'isValid',
      'validFrom',
      'validUntil',
    ],
    search: ['insurer', 'name'],
    sort: ['dateCreated', 'DESC'],
    size: 1_000,
    filters: ['state', 'isValid', 'insurer', 'coverType', 'premiumRule', 'validFrom', 'validUntil', 'dateCreated'],
    empty: { title: 'No offers yet', body: 'Enter what an insurer offers; active offers are compared for each application.' },
  },
  form: [
    ['insurer', 'name'],
    ['coverType', 'hasDisability'],
    ['premiumRule', 'rate'],
    ['bands'],
    ['minimum', 'levies'],
    ['stamp', 'commission'],
    ['papers'],
    ['validFrom', 'validUntil'],
    ['note'],
  ],
  actions: [
    {
      route: 'insurance.remove',
      label: 'Delete draft',
      scope: 'row',
      idField: 'id',
      danger: true,
      undo: 'insurance.restore',
      visibleIf: { eq: ['state', 'Draft'] },
      confirm: { title: 'Delete this draft?' },
    },
  ],
  prepare: prepareOffer,
})

type Row = ModelRow<'insuranceOffer'>
const kept = ['state', 'stateReason', 'validUntil']

async function prepareOffer(ctx: Ctx, { kind, input, before, id }: PrepareWrite<Row>): Promise<Partial<Row>> {
  if (kind === 'remove') {
    if (before && before.state !== 'Draft') fail('CONFLICT', { message: 'Only a draft is deleted. Withdraw this offer instead.' })
    return {}
  }
  const { bands, ...given } = input as Partial<Row> & { bands?: object[] }
  const resource = resourceNamed('insuranceOffer') ?? fail('NOT_FOUND')
  const stored = before ? ((await getRecord(ctx, resource, id))['bands'] as object[]) : []
  if (before && before.state !== 'Draft') {
    const isOther = Object.keys(changedColumns(resource, before, given)).some((key) => !kept.includes(key))
    if (isOther || (bands && !isSameLines(stored, bands)))
      fail('CONFLICT', { message: 'An active offer is not changed. Withdraw it and enter another one.' })
  }
  const row = { ...before, ...given }
  const isByTable = row.premiumRule === 'table'
  if (isByTable && (bands ?? stored).length === 0) failField('bands', 'needs a line at least')
  if (!isByTable && (row.rate ?? null) === null) failField('rate', 'is required')
  if (row.premiumRule === 'perMille' && Number(row.stamp ?? 0) > 0)
    failField('stamp', 'goes with a premium that is computed once, not with one a month')
  if (row.premiumRule === 'percent' && Number(row.rate) > 100) failField('rate', 'may be 100 at most')
  const day = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value)).slice(0, 10)
  if (row.validUntil && row.validFrom && day(row.validUntil) < day(row.validFrom))
    failField('validUntil', 'must not lie before the first day')
  return kind === 'create' ? { createdByUserId: ctx.user.id } : {}
}
