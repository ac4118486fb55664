import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Alert, Button, InputNumber, Tag } from 'antd'
import { call, pathOf } from '../../data/calls.ts'
import { keys } from '../../data/keys.ts'
import { t } from '../../session/labels.ts'
import { textOf, useAddress } from '../../view/address.ts'
import { formatMoney, formatNumber, noValue } from '../../view/formats.ts'
import { ErrorState, ErrorText, LoadingState } from '../../view/states/index.tsx'
import type { CustomProps } from '../props.ts'
import { QuoteTable } from './QuoteTable.tsx'
import type { Simulation } from './simulation.ts'
import './product-simulator.css'

const inputs = [
  { key: 'amount', label: 'Amount' },
  { key: 'instalments', label: 'Instalments' },
  { key: 'income', label: 'Income a month' },
  { key: 'expenses', label: 'Expenses a month' },
] as const
type Asked = Partial<Record<(typeof inputs)[number]['key'], string>>

/** What a loan of a product's version would cost a sample borrower, before anybody publishes it. The address holds what was asked. */
export function ProductSimulator({ params }: CustomProps) {
  const id = params['id'] ?? ''
  const { address, patch } = useAddress()
  const asked: Asked = Object.fromEntries(
    inputs.flatMap(({ key }) => (textOf(address[key]) === undefined ? [] : [[key, textOf(address[key])]])),
  )
  const { data, error, isPending, isFetching, refetch } = useQuery({
    queryKey: keys.list('productVersion', pathOf('products.simulate', { id }), asked),
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: async ({ signal }) =>
      (
        await call(
          'products.simulate',
          { params: { id }, query: Object.fromEntries(Object.entries(asked).map(([key, value]) => [key, Number(value)])) },
          { signal },
        )
      ).data,
  })
  if (!data)
    return (
      <div className="view ps">
        <h1 tabIndex={-1}>{t('Simulator')}</h1>
        {isPending ? <LoadingState rows={6} /> : <ErrorState error={error} what={t('The simulation')} onRetry={() => void refetch()} />}
      </div>
    )
  return (
    <div className="view ps" data-former={isFetching} aria-busy={isFetching}>
      <header className="view-header">
        <div className="view-header-title">
          <h1 tabIndex={-1}>{data.version.name}</h1>
          <Tag variant="filled" className={`view-tag ${data.version.state === 'Published' ? 'tag-good' : ''}`}>
            {t(data.version.state)}
          </Tag>
        </div>
        <Link className="ps-back" to={`/products/versions/${id}/view` as never}>
          {t('Terms of this version')}
        </Link>
      </header>
      <Choice key={JSON.stringify(asked)} asked={asked} data={data} onAsk={(next) => patch(next, { isStep: true })} />
      {error && <Alert type="error" showIcon role="alert" title={<ErrorText error={error} />} />}
      <Caps data={data} />
      <Affordability data={data} />
      <Figures data={data} />
      <QuoteTable rows={data.quote.rows} />
    </div>
  )
}

function Choice({ asked, data, onAsk }: { asked: Asked; data: Simulation; onAsk: (asked: Record<string, number | undefined>) => void }) {
  const { version, quote } = data
  const standard: Asked = { amount: quote.amount, instalments: String(quote.rows.length) }
  const [values, setValues] = useState<Record<string, string | undefined>>({ ...standard, ...asked })
  const hints: Record<string, string> = {
    amount: `${formatNumber(version.minAmount)} – ${formatNumber(version.maxAmount)} ${data.currency}`,
    instalments: `${version.minInstalments} – ${version.maxInstalments}`,
    income: t('of a sample borrower'),
  }
  return (
    <form
      className="form-card ps-choice"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onAsk(Object.fromEntries(inputs.map(({ key }) => [key, values[key] ? Number(values[key]) : undefined])))
      }}
    >
      {inputs.map(({ key, label }) => (
        <label key={key}>
          <span>{t(label)}</span>
          <InputNumber
            stringMode
            min="0"
            controls={false}
            precision={key === 'instalments' ? 0 : undefined}
            value={values[key] ?? null}
            onChange={(value) => setValues((before) => ({ ...before, [key]: value === null ? undefined : String(value) }))}
          />
          <small>{hints[key] ?? ''}</small>
        </label>
      ))}
      <Button type="primary" htmlType="submit">
        {t('Simulate')}
      </Button>
    </form>
  )
}

function Caps({ data: { broken, hasCaps } }: { data: Simulation }) {
  if (broken.length === 0)
    return (
      <Alert
        type={hasCaps ? 'success' : 'info'}
        showIcon
        title={hasCaps ? t('It keeps to the caps on the cost of credit.') : t('We hold no caps on the cost of credit for this country.')}
      />
    )
  return (
    <Alert
      type="error"
      showIcon
      title={t('It cannot be published: it breaks caps on the cost of credit.')}
      description={
        <ul className="ps-broken">
          {broken.map(({ rule, source, message }) => (
            <li key={`${rule} ${message}`}>
              <strong>{t(rule)}</strong> <small>{source}</small> {message}
            </li>
          ))}
        </ul>
      }
    />
  )
}

const verdicts = {
  PASS: ['success', 'The sample borrower can afford it, by the rules of this product.'],
  REFER: ['warning', 'Somebody would have to decide, by the rules of this product.'],
  FAIL: ['error', 'The sample borrower cannot afford it, by the rules of this product.'],
} as const

/** What the product's own calculator says of the sample borrower; nothing where it has none, or no income was entered. */
function Affordability({ data: { affordability, currency } }: { data: Simulation }) {
  if (affordability === null) return null
  const { outcome, reasons, calculator, ruleSet, affordable, instalment } = affordability
  const [type, title] = verdicts[outcome]
  const shown = {
    affordable: affordable === null ? noValue : formatMoney(affordable, currency),
    instalment: formatMoney(instalment, currency),
  }
  return (
    <Alert
      type={type}
      showIcon
      title={t(title)}
      description={
        <>
          <p>
            {t('{{affordable}} affordable a month, {{instalment}} asked for.', shown)}{' '}
            <small>
              {t(calculator)} {ruleSet}
            </small>
          </p>
          {reasons.length > 0 && (
            <ul className="ps-broken">
              {reasons.map((reason) => (
                <li key={reason}>{reason}</li>
              ))}
            </ul>
          )}
        </>
      }
    />
  )
}

function Figures({ data: { quote, currency, leftOver, shareOfIncome } }: { data: Simulation }) {
  const money = (value: string) => formatMoney(value, currency) || noValue
  const percent = (value: number | null) => (value === null ? noValue : `${formatNumber(value)} %`)
  const figures: [label: string, value: string][] = [
    ['Largest instalment', money(quote.instalment)],
    ...(quote.roundedTo === undefined ? [] : [['Instalments are rounded to', money(quote.roundedTo)] satisfies [string, string]]),
    ['Paid out', money(quote.paidOut)],
    ['Paid in all', money(quote.totalPaid)],
    ['Total cost of credit', money(quote.totalCost)],
    ['Interest', money(quote.totalInterest)],
    ['Fees', money(quote.totalFees)],
    ['Insurance', money(quote.totalInsurance)],
    ['Annual rate, effective', percent(quote.aprEffective)],
    ['Annual rate, nominal', percent(quote.aprNominal)],
    ...(leftOver === null ? [] : [['Left to the borrower a month', money(leftOver)] satisfies [string, string]]),
    ...(shareOfIncome === null ? [] : [['Instalment of the income', percent(shareOfIncome)] satisfies [string, string]]),
  ]
  return (
    <dl className="ps-figures">
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{t(label)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
