import { Table } from 'antd'
import { t } from '../../session/labels.ts'
import { formatDate, formatMoney, noValue } from '../../view/formats.ts'
import type { Simulation } from './simulation.ts'

type Row = Simulation['quote']['rows'][number]
const amounts = [
  ['principal', 'Principal'],
  ['interest', 'Interest'],
  ['fee', 'Fees'],
  ['insurance', 'Insurance'],
  ['total', 'Instalment'],
  ['balance', 'Balance'],
] as const
const [rowHeight, maxRows] = [39, 12]

/** The instalments of a quote, each with its day and its parts. */
export function QuoteTable({ rows }: { rows: readonly Row[] }) {
  return (
    <section className="form-card ps-plan" aria-labelledby="ps-plan">
      <h2 id="ps-plan">{t('Instalments')}</h2>
      <div role="group" aria-label={t('Instalments')} tabIndex={0}>
        <Table<Row>
          virtual
          size="small"
          rowKey="number"
          pagination={false}
          dataSource={rows}
          scroll={{ x: 900, y: rowHeight * Math.min(maxRows, rows.length) }}
          columns={[
            { key: 'number', dataIndex: 'number', title: '#', width: 56, align: 'right' },
            { key: 'dueOn', dataIndex: 'dueOn', title: t('Due'), width: 124, render: (day: string) => formatDate(day) },
            ...amounts.map(([key, title]) => ({
              key,
              dataIndex: key,
              title: t(title),
              width: 120,
              align: 'right' as const,
              render: (value: string) => formatMoney(value, '') || noValue,
            })),
          ]}
        />
      </div>
    </section>
  )
}
