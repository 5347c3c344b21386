// Style of the overlay.

export const STYLE = `
.body { all: initial; pointer-events: none; }
.sheet { position: absolute; left: 0; top: 0; width: 1000px; height: 0; contain: layout style; }
.sheet.window { position: fixed; }

.tint, .swatch {
    box-sizing: border-box;
    border: 1.5px var(--line) var(--colour);
    background: color-mix(in srgb, var(--colour) 16%, transparent);
    /* Forced colours would make boxes opaque. */
    forced-color-adjust: none;
}
.tint { position: absolute; border-radius: 2px; }
.tint.current { border-width: 3px; background: color-mix(in srgb, var(--colour) 28%, transparent); }
/* Distinct line styles for colour-blind users. */
.template { --colour: var(--template); --line: solid; }
.menu { --colour: var(--menu); --line: dashed; }
.content { --colour: var(--content); --line: dotted; }
.without-template .tint.template, .without-menu .tint.menu, .without-content .tint.content { display: none; }

.legend, .tip {
    --paper: #ffffff; --ink: #1f2328; --faint: #59636e; --edge: #d1d9e0; --focus: #0969da;
    position: fixed;
    box-sizing: border-box;
    border: 1px solid var(--edge);
    border-radius: 8px;
    background: var(--paper);
    color: var(--ink);
    color-scheme: light;
    font: 14px/1.4 system-ui, sans-serif;
    box-shadow: 0 4px 16px rgb(0 0 0 / 25%);
}
.legend { right: 16px; bottom: 16px; width: 264px; max-width: calc(100vw - 32px); padding: 10px 12px; pointer-events: auto; }
.legend.left { right: auto; left: 16px; }
.legend.folded { width: auto; }
.legend.folded .folds { display: none; }
.head { display: flex; align-items: center; gap: 4px; }
.title { flex: 1; margin: 0; font-size: 14px; font-weight: 600; }
button {
    min-width: 28px; height: 28px; padding: 0; border: 0; border-radius: 6px;
    background: transparent; color: inherit; font: inherit; cursor: pointer;
}
button:hover { background: var(--edge); }
button svg { display: block; margin: auto; width: 16px; height: 16px; fill: none; stroke: currentColor; stroke-width: 1.75; }
button:focus-visible, input:focus-visible { outline: 2px solid var(--focus); outline-offset: 1px; }
.legend:focus { outline: none; }
.kinds { margin: 6px 0; padding: 0; list-style: none; }
.kind { display: flex; align-items: center; gap: 8px; padding: 3px 0; cursor: pointer; }
.kind input { margin: 0; accent-color: var(--focus); }
.swatch { display: inline-block; width: 22px; height: 14px; border-radius: 3px; }
.share { margin-inline-start: auto; color: var(--faint); font-size: 12px; }
.hint { margin: 0; color: var(--faint); font-size: 12px; }
.tip { left: 0; top: 0; max-width: min(360px, 90vw); padding: 6px 9px; font-size: 13px; pointer-events: none; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

@media (prefers-color-scheme: dark) {
    .legend, .tip {
        --paper: #1c2128; --ink: #e6edf3; --faint: #9198a1; --edge: #3d444d; --focus: #4493f8; color-scheme: dark;
    }
}
@media print {
    .body { display: none; }
}
`;
