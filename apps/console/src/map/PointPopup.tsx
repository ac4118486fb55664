import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { Popup, useMap } from 'react-leaflet'
import { t } from '../session/labels.ts'
import type { MapPoint } from './shapes.ts'

interface PointPopupProps {
  points: readonly MapPoint[]
  content: ((point: MapPoint) => ReactNode) | undefined
  onPick: (point: MapPoint) => void
  onClose: () => void
}

/** The popup of a point: its own content, or the names of all points at the same place. */
export function PointPopup({ points, content, onPick, onClose }: PointPopupProps) {
  const [first] = points
  if (!first) return null
  const isStack = points.length > 1
  return (
    <Popup
      key={points.map(({ id }) => id).join()}
      position={[first.lat, first.lng]}
      minWidth={200}
      maxWidth={320}
      maxHeight={300}
      eventHandlers={{ remove: onClose }}
      className="map-popup"
    >
      <PopupBody label={isStack ? `${points.length} ${t('on this spot')}` : first.label}>
        {isStack ? <Stack points={points} onPick={onPick} /> : (content?.(first) ?? <Plain point={first} />)}
      </PopupBody>
    </Popup>
  )
}

/** Takes the focus for keyboards and screen readers; Escape closes it and returns the focus. */
function PopupBody({ label, children }: { label: string; children: ReactNode }) {
  const map = useMap()
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null
    body.current?.focus({ preventScroll: true })
    return () => {
      if (before?.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    <div
      ref={body}
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      className="map-popup-body"
      onKeyDown={(event) => {
        if (event.key === 'Escape') map.closePopup()
      }}
    >
      {children}
    </div>
  )
}

const Plain = ({ point }: { point: MapPoint }) => (
  <>
    <strong>{point.label}</strong>
    {point.note ? <p>{point.note}</p> : null}
  </>
)

const Stack = ({ points, onPick }: { points: readonly MapPoint[]; onPick: (point: MapPoint) => void }) => (
  <>
    <strong>
      {points.length} {t('on this spot')}
    </strong>
    <ul className="map-stack">
      {points.map((point) => (
        <li key={point.id}>
          <button type="button" onClick={() => onPick(point)}>
            <span className={`map-list-mark map-tone-${point.tone ?? 'quiet'}`} aria-hidden /> {point.label}
          </button>
        </li>
      ))}
    </ul>
  </>
)
