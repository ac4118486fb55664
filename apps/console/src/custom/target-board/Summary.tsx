import { t } from '../../session/labels.ts'
import { paceOf, paceLabels, type Metric, type Pace, type Target } from './board.ts'

const order: Pace[] = ['reached', 'ahead', 'behind', 'far']

/** How many targets are reached, on track and behind. */
export function Summary({ targets, metrics }: { targets: readonly Target[]; metrics: readonly Metric[] }) {
  const burdens = new Set(metrics.filter(({ isBurden }) => isBurden).map(({ key }) => key))
  const counts = Map.groupBy(targets, (target) => paceOf(target, burdens.has(target.metric)))
  return (
    <dl className="tg-summary">
      {order.map((pace) => (
        <div key={pace} data-pace={pace}>
          <dt>{t(paceLabels[pace])}</dt>
          <dd>{counts.get(pace)?.length ?? 0}</dd>
        </div>
      ))}
    </dl>
  )
}
