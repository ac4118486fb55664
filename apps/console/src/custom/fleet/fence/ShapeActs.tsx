import { Button } from 'antd'
import { RedoOutlined, UndoOutlined } from '@ant-design/icons'
import { t } from '../../../session/labels.ts'
import type { Drawn, Task } from './FenceMap.tsx'
import type { useHistory } from './history.ts'
import { areaOf, ringsOf, sizeOf, sizeText } from './shape.ts'
import { areaText } from '../../../map/index.ts'

interface ShapeActsProps {
  drawn: ReturnType<typeof useHistory<Drawn>>
  /** Metres. */
  radius: number | null
  task: Task | undefined
  onTask: (task: Task | undefined) => void
}

/** What can be done to the shape of a fence, how large it is, and its holes. */
export function ShapeActs({ drawn, radius, task, onTask }: ShapeActsProps) {
  const { shape, area } = drawn.now
  const rings = ringsOf(area)
  const size = area ? sizeOf({ shape, rings, radius }) : undefined
  const toggle = (next: Task) => onTask(task === next ? undefined : next)
  return (
    <>
      {shape === 'circle' ? <p>{t('Click the middle of the circle on the map.')}</p> : null}
      <div className="fleet-acts">
        {shape === 'circle' ? null : (
          <Button aria-pressed={task === 'outline'} type={task === 'outline' ? 'primary' : 'default'} onClick={() => toggle('outline')}>
            {area ? t('Draw it anew') : t('Draw it on the map')}
          </Button>
        )}
        {area && shape === 'polygon' ? (
          <Button aria-pressed={task === 'hole'} type={task === 'hole' ? 'primary' : 'default'} onClick={() => toggle('hole')}>
            {t('Cut a hole')}
          </Button>
        ) : null}
        {area && shape !== 'circle' ? (
          <Button aria-pressed={task === 'corners'} type={task === 'corners' ? 'primary' : 'default'} onClick={() => toggle('corners')}>
            {t('Move corners')}
          </Button>
        ) : null}
        <Button icon={<UndoOutlined aria-hidden />} aria-label={t('Undo the last step')} disabled={!drawn.canUndo} onClick={drawn.undo} />
        <Button icon={<RedoOutlined aria-hidden />} aria-label={t('Redo the step')} disabled={!drawn.canRedo} onClick={drawn.redo} />
      </div>
      {size ? (
        <p className="fleet-size">
          {t('Size')}: <strong>{sizeText(shape, size)}</strong>
        </p>
      ) : null}
      {shape === 'polygon' && rings.length > 1 ? (
        <ul className="fleet-rows" aria-label={t('Holes')}>
          {rings.slice(1).map((ring, index) => (
            <li key={index}>
              <span>
                {t('Hole')} {index + 1} · {areaText(sizeOf({ shape, rings: [ring], radius: null })?.squareMetres ?? 0)}
              </span>
              <Button
                size="small"
                aria-label={`${t('Fill hole')} ${index + 1}`}
                onClick={() => drawn.set({ shape, area: areaOf(rings.toSpliced(index + 1, 1), shape) })}
              >
                {t('Fill')}
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
    </>
  )
}
