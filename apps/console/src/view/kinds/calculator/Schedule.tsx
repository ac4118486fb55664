import { useMemo } from 'react'
import { Table } from 'antd'
import type { Plan, PlanRow } from '@outpost/rules/calculators/index'
import { t } from '../../../session/labels.ts'
import { formatMoney, noValue } from '../../formats.ts'
import { PlanChart } from './PlanChart.tsx'

const columns = [
  { key: 'instalment', title: 'Instalment' },
  { key: 'principal', title: 'Principal' },
  { key: 'interest', title: 'Interest' },
  { key: 'charges', title: 'Charges' },
  { key: 'balance', title: 'Balance' },
] as const
const [rowHeight, maxRows] = [39, 12]

/** The instalments of the offer, drawn and listed. */
export function Schedule({ schedule, currency }: { schedule: Plan; currency: string }) {
  const { rows, totalInterest, totalCharges, totalPaid } = schedule
  const shown = useMemo(
    () => [
      { key: 'number', dataIndex: 'number', title: '#', width: 56, align: 'right' as const },
      ...columns.map(({ key, title }) => ({
        key,
        dataIndex: key,
        title: t(title),
        width: 140,
        align: 'right' as const,
        render: (value: string) => formatMoney(value, '') || noValue,
      })),
    ],
    [],
  )
  return (
    <section className="form-card calculator-schedule" aria-labelledby="calculator-schedule">
      <h2 id="calculator-schedule">{t('Instalments')}</h2>
      <p className="calculator-totals">
        {t('Interest')} {formatMoney(totalInterest, currency)} · {t('Charges')} {formatMoney(totalCharges, currency)} · {t('Paid in all')}{' '}
        {formatMoney(totalPaid, currency)}
      </p>
      <p className="calculator-formula">{t('The last instalment takes up the cents that rounding leaves.')}</p>
      <PlanChart rows={rows} currency={currency} />
      <div className="calculator-plan" role="group" aria-label={t('Instalments')} tabIndex={0}>
        <Table<PlanRow>
          virtual
          size="small"
          rowKey="number"
          columns={shown}
          dataSource={rows}
          pagination={false}
          scroll={{ x: 756, y: rowHeight * Math.min(maxRows, rows.length) }}
        />
      </div>
    </section>
  )
}
