import { useContext, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button, Input, Segmented } from 'antd'
import SignaturePad from 'signature_pad'
import type { AnswerFile } from '@outpost/contract/web-forms/form'
import { filesIn } from '@outpost/rules/forms/answer-files'
import { longest } from '@outpost/rules/forms/form-faults'
import { t } from '../../../session/labels.ts'
import type { FileInputProps } from './file-input-props.ts'
import { Thumb } from './FilesInput.tsx'
import { FormFilesContext } from './form-files.ts'
import { readDrawing } from './read-file.ts'

/** A signature: drawn with a finger or, for who cannot draw, typed as a name. */
export function SignatureInput({ question, id, value, onChange }: FileInputProps) {
  const kept = useContext(FormFilesContext)
  const [isTyped, setTyped] = useState(typeof value === 'string')
  const [drawn] = filesIn(value)
  const clear = () => {
    if (drawn) kept.drop(drawn.Id)
    onChange?.(undefined)
  }
  const choose = (way: string) => {
    clear()
    setTyped(way === 'type')
  }
  return (
    <div id={id} role="group" aria-label={question.label} tabIndex={-1} className="wf-sign">
      <Segmented
        value={isTyped ? 'type' : 'draw'}
        options={[
          { value: 'draw', label: t('Sign by hand') },
          { value: 'type', label: t('Type the name') },
        ]}
        aria-label={`${question.label}: ${t('How it is signed')}`}
        onChange={choose}
      />
      {isTyped ? (
        <Input
          value={typeof value === 'string' ? value : ''}
          maxLength={longest(question)}
          autoComplete="off"
          aria-label={`${question.label}: ${t('Name of who signs')}`}
          placeholder={t('Name of who signs')}
          onChange={(event) => onChange?.(event.target.value)}
        />
      ) : (
        <Drawing name={question.label} drawn={drawn} onDrawn={(file) => onChange?.([file])} onClear={clear} />
      )}
    </div>
  )
}

interface DrawingProps {
  name: string
  drawn: AnswerFile | undefined
  onDrawn: (file: AnswerFile) => void
  onClear: () => void
}

/** The sheet to sign on; what was signed before is shown until somebody signs anew. */
function Drawing({ name, drawn, onDrawn, onClear }: DrawingProps) {
  const kept = useContext(FormFilesContext)
  const [error, setError] = useState<string>()
  const [sheets, setSheets] = useState(0)
  /** What this sheet drew; another drawing came with the form. */
  const [ownId, setOwnId] = useState<string>()
  const newest = useRef<string>(undefined)
  const isOwn = drawn === undefined || drawn.Id === ownId
  const keep = async (canvas: HTMLCanvasElement) => {
    try {
      const { bytes, ...file } = await readDrawing(canvas)
      if (newest.current !== undefined) kept.drop(newest.current)
      newest.current = file.Id
      kept.put(file.Id, bytes)
      setOwnId(file.Id)
      setError(undefined)
      onDrawn(file)
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause))
    }
  }
  const signAnew = () => {
    newest.current = undefined
    setSheets((count) => count + 1)
    onClear()
  }
  return (
    <>
      {isOwn ? (
        <Sheet key={sheets} name={name} isEmpty={drawn === undefined} onStroke={(canvas) => void keep(canvas)} />
      ) : (
        <div className="wf-sheet">
          <Thumb file={drawn} />
        </div>
      )}
      <Button className="wf-sign-clear" disabled={drawn === undefined} onClick={signAnew}>
        {t('Sign anew')}
      </Button>
      {error ? (
        <div className="field-note" role="alert">
          {t(error)}
        </div>
      ) : null}
    </>
  )
}

/** White in each scheme: the picture is looked at on paper too. */
const paper = 'rgb(255, 255, 255)'

function Sheet({ name, isEmpty, onStroke }: { name: string; isEmpty: boolean; onStroke: (canvas: HTMLCanvasElement) => void }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const tell = useEffectEvent(onStroke)
  useEffect(() => {
    const sheet = canvas.current
    if (!sheet) return
    const pad = new SignaturePad(sheet, { backgroundColor: paper, minWidth: 1, maxWidth: 3 })
    // A turned phone has another sheet: the strokes stay.
    const fit = () => {
      const [strokes, ratio] = [pad.toData(), Math.max(1, window.devicePixelRatio)]
      sheet.width = sheet.offsetWidth * ratio
      sheet.height = sheet.offsetHeight * ratio
      sheet.getContext('2d')?.scale(ratio, ratio)
      pad.clear()
      pad.fromData(strokes)
    }
    const size = new ResizeObserver(fit)
    size.observe(sheet)
    pad.addEventListener('endStroke', () => tell(sheet))
    return () => {
      size.disconnect()
      pad.off()
    }
  }, [])
  return (
    <div className="wf-sheet">
      <canvas ref={canvas} role="img" aria-label={`${name}: ${t('sign here with a finger, a pen or the mouse')}`} />
      {isEmpty ? <span aria-hidden>{t('Sign here')}</span> : null}
    </div>
  )
}
