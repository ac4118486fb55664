import type { PlanRow } from '@outpost/rules/calculators/index'
import { t } from '../../../session/labels.ts'
import { AxisChart } from '../../charts/AxisChart.tsx'
import { formatMoney } from '../../formats.ts'

/** What is still owed and the interest paid so far, instalment by instalment. */
export function PlanChart({ rows, currency }: { rows: readonly PlanRow[]; currency: string }) {
  const { balances, interest } = seriesOf(rows)
  const words = `${t('Balance falls from')} ${formatMoney(balances[0], currency)} ${t('to nothing in')} ${rows.length} ${t('months')}; ${t('interest adds up to')} ${formatMoney(interest.at(-1), currency)}`
  return (
    <figure className="plan-chart">
      <AxisChart
        words={words}
        kind="line"
        labels={balances.map((_, month) => String(month))}
        series={[
          { name: t('Balance'), look: 'main', hasArea: true, values: balances },
          { name: t('Interest paid so far'), look: 'warning', values: interest },
        ]}
        height={220}
        format={(value) => formatMoney(value, currency)}
      />
      <figcaption>
        <span className="plan-key" />
        {t('Balance')}
        <span className="plan-key" data-interest />
        {t('Interest paid so far')}
        <span>
          ({rows.length} {t('months')})
        </span>
      </figcaption>
    </figure>
  )
}

/** Sums of a drawing only: what is posted is in the table. */
function seriesOf(rows: readonly PlanRow[]): { balances: number[]; interest: number[] } {
  const first = rows[0] ? Number(rows[0].balance) + Number(rows[0].principal) : 0
  const interest = [0]
  for (const row of rows) interest.push((interest.at(-1) ?? 0) + Number(row.interest))
  return { balances: [first, ...rows.map((row) => Number(row.balance))], interest }
}
