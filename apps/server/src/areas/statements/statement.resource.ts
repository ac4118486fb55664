import { networkOptions } from '@outpost/rules/loans/mobile-money'
import type { FieldView } from '@outpost/contract/fields'
import type { ListView } from '@outpost/contract/views'
import { may } from '../../kernel/area.ts'
import { recordNumber } from '../../kernel/keeps/numbering.ts'
import { defineResource } from '../../kernel/resource/define.ts'
import { batched } from '../../kernel/resource/read/batched.ts'
import { deleteAction } from '../../kernel/screens/delete-action.ts'
import type { Ctx } from '../../kernel/types.ts'
import { networksIn } from '../loans/index.ts'
import { linesWhere } from './statement-line.resource.ts'

const lines = { from: 'money_statement_line x', alias: 'x', key: 'statementId' }
const count = (label: string, verdict: string) =>
  ({
    kind: 'number',
    label,
    readOnly: true,
    opens: linesWhere({ verdict }),
    ...batched(lines, `count(*) filter (where x."verdict" = '${verdict}')::int`, '0'),
  }) as const
const sum = (label: string, direction: 'in' | 'out') =>
  ({
    kind: 'money',
    label,
    readOnly: true,
    currency: 'company',
    opens: linesWhere({ direction }),
    ...batched(lines, `coalesce(sum(x."amount") filter (where x."direction" = '${direction}'), 0)::float8`, '0'),
  }) as const
export const sources = [
  { value: 'mpesa', label: 'M-Pesa', colour: 'green' },
  { value: 'bank', label: 'Bank', colour: 'blue' },
  { value: 'provider', label: 'Another provider', colour: 'purple' },
]

/** A network is kept as a provider of its name. */
const readSources = [...sources, { value: 'network', label: 'A mobile network that is not connected', colour: 'gold' }]

/** A statement of a bank or a provider. The draft says of each line what booking does; booked once. */
export const moneyStatement = defineResource({
  model: 'moneyStatement',
  one: 'moneyStatement',
  many: 'moneyStatements',
  label: 'Statement',
  labelMany: 'Statements',
  title: 'statementNumber',
  isScoped: true,
  isSoftDeleted: true,
  workflow: {
    field: 'status',
    route: 'statements.move',
    states: {
      Draft: { meaning: 'open', colour: 'blue' },
      Booked: { meaning: 'done', colour: 'green' },
      Discarded: { meaning: 'cancelled', colour: 'default' },
    },
    kept: { reason: 'statusReason' },
    moves: [
      { name: 'book', label: 'Book', from: ['Draft'], to: 'Booked', madeBy: 'program' },
      {
        name: 'discard',
        label: 'Discard',
        from: ['Draft'],
        to: 'Discarded',
        access: may('LOAN/DISBURSEMENTS'),
        danger: true,
        ask: { reason: { kind: 'text', label: 'Reason', required: true, maxLength: 300 } },
      },
    ],
  },
  fields: {
    statementNumber: recordNumber({ prefix: 'S-', digits: 5 }, 'Statement'),
    source: { kind: 'choice', label: 'Of', readOnly: true, options: sources },
    provider: { kind: 'text', label: 'Provider', readOnly: true, options: networkOptions },
    firstOn: { kind: 'date', label: 'From', readOnly: true },
    lastOn: { kind: 'date', label: 'To', readOnly: true },
    note: { kind: 'text', label: 'Note', readOnly: true },
    status: { kind: 'choice', label: 'Status', readOnly: true, given: 'Draft' },
    statusReason: { kind: 'text', label: 'Reason', readOnly: true },
    lines: { kind: 'number', label: 'Lines', readOnly: true, opens: linesWhere({}), ...batched(lines, 'count(*)::int', '0') },
    total: sum('Came in', 'in'),
    wentOut: sum('Went out', 'out'),
    forLoans: count('For loans', 'Loan'),
    forSuspense: count('For suspense', 'Suspense'),
    known: count('Booked before', 'Known'),
    differs: count('Other amount', 'Differs'),
    left: count('Left, not booked', 'Out'),
    ignored: count('Ignored', 'Ignored'),
    tenantId: { kind: 'reference', label: 'Branch', to: 'tenant', readOnly: true },
    createdByUserId: { kind: 'reference', label: 'Read by', to: 'user', readOnly: true, isCompanyWide: true },
    dateCreated: { kind: 'dateTime', label: 'Read', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: [
      'statementNumber',
      'source',
      'provider',
      'firstOn',
      'lastOn',
      'status',
      'lines',
      'total',
      'wentOut',
      'forLoans',
      'forSuspense',
      'known',
      'differs',
      'left',
      'ignored',
      'dateCreated',
    ],
    sort: ['dateCreated', 'DESC'],
    search: ['statementNumber', 'provider', 'note'],
    size: 1_000,
    filters: ['source', 'provider', 'status', 'firstOn', 'lastOn', 'dateCreated'],
    empty: {
      title: 'No statements yet',
      body: 'Read in the CSV or MT940 of a bank, or the CSV of M-Pesa: it is shown first, and booked when you say so.',
    },
  },
  actions: [
    {
      route: 'statements.read',
      label: 'Read in a statement',
      scope: 'page',
      form: {
        source: { kind: 'choice', label: 'Of', required: true, defaultValue: 'mpesa', options: readSources },
        network: {
          kind: 'choice',
          label: 'Network',
          options: networkOptions,
          visibleIf: { eq: ['source', 'network'] },
          requiredIf: { eq: ['source', 'network'] },
          help: 'Payments captured by hand under it are known by their reference',
        },
        providerId: {
          kind: 'reference',
          label: 'Provider',
          to: 'moneySource',
          visibleIf: { eq: ['source', 'provider'] },
          requiredIf: { eq: ['source', 'provider'] },
          help: 'One that signs its messages: payments that it told of are known by their reference',
        },
        csv: {
          kind: 'longText',
          label: 'CSV with headings, or MT940',
          required: true,
          maxLength: 900_000,
          fromFile: '.csv,.sta,.mt940,.940,.txt',
          help: 'A CSV has date, amount and reference; payer, details and what was withdrawn where there are some',
        },
        note: { kind: 'text', label: 'Note', maxLength: 300 },
      },
    },
    {
      route: 'statements.book',
      label: 'Book',
      scope: 'row',
      visibleIf: { eq: ['status', 'Draft'] },
      confirm: { title: 'Book this statement?', body: 'Lines for loans and for suspense become payments, all or none.' },
    },
  ],
})

/** Whoever reads a statement in chooses among the networks of the country and of the company. */
export async function withOwnNetworks(ctx: Ctx, view: ListView): Promise<ListView> {
  const options = await networksIn(ctx)
  const own = (field: FieldView) => (field.key === 'network' ? { ...field, options } : field)
  return { ...view, actions: view.actions.map((action) => (action.form ? { ...action, form: action.form.map(own) } : action)) }
}

/** What is done with lines that hold a text: left out, or put into suspense whatever they name. */
export const statementRule = defineResource({
  model: 'statementRule',
  one: 'statementRule',
  many: 'statementRules',
  label: 'Rule for statements',
  labelMany: 'Rules for statements',
  title: 'holds',
  writtenBy: 'company',
  isSoftDeleted: true,
  fields: {
    position: {
      kind: 'number',
      label: 'Order',
      required: true,
      min: 1,
      max: 1_000,
      defaultValue: 1,
      help: 'The first rule that fits counts',
    },
    column: {
      kind: 'choice',
      label: 'Where',
      required: true,
      options: [
        { value: 'details', label: 'Details' },
        { value: 'payer', label: 'Payer' },
        { value: 'reference', label: 'Reference' },
      ],
    },
    holds: { kind: 'text', label: 'Holds the text', required: true, maxLength: 100 },
    does: {
      kind: 'choice',
      label: 'Then',
      required: true,
      options: [
        { value: 'ignore', label: 'Leave it out', colour: 'default' },
        { value: 'suspense', label: 'Put it into suspense', colour: 'orange' },
      ],
    },
    dateCreated: { kind: 'dateTime', label: 'Made', readOnly: true },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['position', 'column', 'holds', 'does', 'dateCreated'],
    sort: ['position', 'ASC'],
    size: 200,
    filters: ['column', 'does'],
    empty: { title: 'No rules', body: 'Without one, each line goes to the loan that it names, else into suspense.' },
  },
  form: [
    ['position', 'column'],
    ['holds', 'does'],
  ],
  actions: [deleteAction('statementRules.remove', { title: 'Delete this rule?' }, { undo: 'statementRules.restore' })],
})
