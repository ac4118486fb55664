import { chunk } from 'es-toolkit/array/chunk'
import { useMemo } from 'react'
import { Form } from 'antd'
import type { CalculatorView } from '@outpost/contract/views'
import { useLayout } from '../../../data/queries.ts'
import { t } from '../../../session/labels.ts'
import { useCompany } from '../../company.ts'
import { StatePanel } from '../../states/index.tsx'
import { FormFields } from '../form/FormFields.tsx'
import { CalculatorActions } from './CalculatorActions.tsx'
import { CompareTable } from './CompareTable.tsx'
import { MonthGrid } from './MonthGrid.tsx'
import { Result } from './Result.tsx'
import { RulesPanel } from './RulesPanel.tsx'
import { dayIn } from '../../formats.ts'
import { outlineOf, type Outline } from './run.ts'
import { Schedule } from './Schedule.tsx'
import { Steps } from './Steps.tsx'
import { useCalculator } from './useCalculator.ts'
import './calculator.css'

/** A sum with its inputs; the result follows what is typed, and every step of it is shown. */
export function CalculatorKind({ view }: { view: CalculatorView; params: Record<string, string> }) {
  const timeZone = useLayout().data?.company.timeZone
  const outline = useMemo(() => outlineOf(view, dayIn(timeZone)), [view, timeZone])
  if (outline) return <Calculation view={view} outline={outline} />
  return (
    <div className="calculator-view">
      <header className="view-header">
        <div className="view-header-title">
          <h1>{t(view.title)}</h1>
        </div>
      </header>
      <StatePanel
        title={t('This calculator needs a newer console')}
        body={`${t('The sum')} “${view.sum}” ${t('is not part of this version. Load the page again.')}`}
      />
    </div>
  )
}

function Calculation({ view, outline }: { view: CalculatorView; outline: Outline }) {
  const { currency } = useCompany()
  const { form, first, record, run, missing, wrong, kept, keep, drop, swap, reset } = useCalculator(view, outline)
  const { calculator, fields } = outline
  const { before, loan } = parted(fields.map(({ key }) => key))
  return (
    <div className="calculator-view">
      <header className="view-header">
        <div className="view-header-title">
          <h1>{t(view.title)}</h1>
          <p className="calculator-about">{t(calculator.description)}</p>
        </div>
        <CalculatorActions
          view={view}
          outline={outline}
          run={run}
          currency={currency}
          onKeep={keep}
          onReset={reset}
          isCompared={kept !== undefined}
        />
      </header>
      <div className="calculator-columns">
        <Form
          noValidate
          form={form}
          layout="vertical"
          initialValues={first}
          className="form-card calculator-form"
          aria-label={t(view.title)}
        >
          <h2>{t(calculator.about)}</h2>
          {calculator.grid ? (
            <Form.Item name={calculator.grid.key} noStyle>
              <MonthGrid grid={calculator.grid} />
            </Form.Item>
          ) : null}
          <FormFields fields={fields} rows={chunk(before, 2)} record={record} />
          <h2>{t('Loan')}</h2>
          <FormFields fields={fields} rows={loanRows(loan)} record={record} />
        </Form>
        <div className="calculator-results">
          <Result calculator={calculator} run={run} missing={missing} wrong={wrong} currency={currency} />
          {kept && run ? (
            <CompareTable calculator={calculator} kept={kept} run={run} currency={currency} onDrop={drop} onSwap={swap} />
          ) : null}
          {run ? <Steps run={run} currency={currency} /> : null}
          <RulesPanel calculator={calculator} ruleSet={outline.ruleSet} currency={currency} />
        </div>
      </div>
      {run?.schedule ? <Schedule schedule={run.schedule} currency={currency} /> : null}
    </div>
  )
}

const loanKeys = ['loanAmount', 'amount', 'rate', 'ratePeriod', 'termMonths', 'monthlyFee', 'creditLife', 'monthlyInsurance']
const inOneRow = ['rate', 'ratePeriod', 'termMonths']

/** Inputs about the client, the vehicle or the business, and those of the loan. */
function parted(keys: string[]): { before: string[]; loan: string[] } {
  return { before: keys.filter((key) => !loanKeys.includes(key)), loan: keys.filter((key) => loanKeys.includes(key)) }
}

function loanRows(keys: string[]): string[][] {
  const amounts = keys.filter((key) => key === 'amount' || key === 'loanAmount').map((key): string[] => [key])
  return [
    ...amounts,
    inOneRow,
    ...chunk(
      keys.filter((key) => !inOneRow.includes(key) && !amounts.flat().includes(key)),
      2,
    ),
  ]
}
