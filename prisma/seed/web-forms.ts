import type { FormPage, FormSubject } from '@outpost/contract/web-forms/form'
import { answersText } from '@outpost/rules/forms/answer-words'
import { iso } from './leads.ts'
import type { DemoUser } from './people.ts'
import { demoId } from './random.ts'
import type { DemoCompany } from './tree.ts'

const day = 86_400_000
const choices = (...labels: string[]) => labels.map((label) => ({ value: label.toLowerCase().replaceAll(' ', '-'), label }))

const shopVisit: FormPage[] = [
  {
    key: 'shop',
    title: 'The business',
    questions: [
      {
        key: 'trade',
        kind: 'choice',
        label: 'What do they sell?',
        required: true,
        options: choices('Food', 'Clothes', 'Hardware', 'Services'),
      },
      { key: 'since', kind: 'date', label: 'Trading since', latest: '2099-12-31' },
      { key: 'place', kind: 'location', label: 'Where the shop is', help: 'Press the button at the shop' },
      { key: 'premises', kind: 'choice', label: 'The premises are', options: choices('Rented', 'Owned') },
      {
        key: 'rent',
        kind: 'money',
        label: 'Rent a month',
        required: true,
        min: 0,
        showWhen: { question: 'premises', is: 'equal', value: 'rented' },
      },
    ],
  },
  {
    key: 'stock',
    title: 'Stock and sales',
    hint: 'As seen today, not as told.',
    questions: [
      { key: 'sales', kind: 'money', label: 'Sales on a good day', min: 0 },
      { key: 'helpers', kind: 'number', label: 'Helpers', min: 0, max: 50 },
      { key: 'records', kind: 'multiChoice', label: 'Records they keep', options: choices('Sales book', 'Receipts', 'Phone') },
      { key: 'isFit', kind: 'boolean', label: 'Is the stock in good order?' },
      {
        key: 'why',
        kind: 'longText',
        label: 'What is not in order?',
        required: true,
        showWhen: { question: 'isFit', is: 'equal', value: false },
      },
    ],
  },
]
const marketDay: FormPage[] = [
  {
    key: 'market',
    title: 'The market',
    questions: [
      { key: 'name', kind: 'text', label: 'Name of the market', required: true },
      { key: 'visitors', kind: 'number', label: 'People spoken to', required: true, min: 0, max: 5_000 },
      { key: 'interest', kind: 'longText', label: 'What they asked about' },
      { key: 'again', kind: 'boolean', label: 'Worth going again?' },
    ],
  },
]
const answersOfShop = [
  { trade: 'food', premises: 'rented', rent: 6_500, sales: 9_000, helpers: 1, records: ['sales-book', 'phone'], isFit: true },
  { trade: 'hardware', premises: 'owned', sales: 21_500, helpers: 3, records: ['receipts'], isFit: false, why: 'Cement lies in the rain' },
]
const answersOfMarket = [{ name: 'Gikomba', visitors: 42, interest: 'School fees loans', again: true }]

interface Given {
  company: DemoCompany
  users: readonly DemoUser[]
  leads: readonly object[]
  now: number
}
interface Lead {
  id: string
  tenantId: string
  assignedUserId?: string | null
}

/** A form about a lead and one about nothing else, both published, and what the first officer filled in. */
export function companyForms({ company, users, leads, now }: Given): [table: string, rows: object[]][] {
  const [admin, officer] = ['admin', 'officer'].map((role) => users.find((user) => user.role === role))
  if (!admin || !officer) return []
  const { companyId } = admin
  const forms = [
    { key: 'shop', name: 'Shop visit', description: 'At the first visit of a business.', about: 'lead' as FormSubject, pages: shopVisit },
    { key: 'market', name: 'Market day', description: null, about: 'nothing' as FormSubject, pages: marketDay },
  ].map(({ key, ...form }) => ({
    ...form,
    id: demoId(`web form ${key} ${company.key}`),
    versionId: demoId(`web form version ${key} ${company.key}`),
  }))
  const published = { publishedAt: iso(now - 30 * day), publishedByUserId: admin.id, dateCreated: iso(now - 30 * day) }
  const own = (leads as readonly Lead[]).filter(({ tenantId }) => officer.tenantIds.includes(tenantId))
  const filled = (place: number, all: readonly Record<string, unknown>[]) =>
    all.flatMap((answers, index) => {
      const form = forms[place]
      const leadId = form?.about === 'lead' ? own[index]?.id : null
      if (!form || leadId === undefined) return []
      const at = iso(now - (index + 2 + place) * day)
      return [
        {
          companyId,
          id: demoId(`web form answer ${place} ${company.key}`, index),
          tenantId: officer.tenantIds[0],
          formId: form.id,
          formVersionId: form.versionId,
          name: form.name,
          leadId,
          answers,
          summary: answersText(form.pages, answers),
          filledAt: at,
          createdByUserId: officer.id,
          syncSeq: 0,
          dateCreated: at,
        },
      ]
    })
  return [
    [
      'web_form',
      forms.map(({ versionId: _, ...form }) => ({
        companyId,
        ...form,
        ...published,
        status: 'Published',
        versionNumber: 1,
        createdByUserId: admin.id,
      })),
    ],
    [
      'web_form_version',
      forms.map(({ id, versionId, ...form }) => ({ companyId, id: versionId, formId: id, number: 1, ...form, ...published })),
    ],
    ['web_form_answer', [...filled(0, answersOfShop), ...filled(1, answersOfMarket)]],
  ]
}
