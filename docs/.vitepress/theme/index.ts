import type { EnhanceAppContext } from 'vitepress';
import theme from 'vitepress/theme';
import './site.css';

/** The home page has no main landmark of its own, as the other pages have. */
const markHomeAsMain = (): void => {
  const content = document.getElementById('VPContent');
  if (content?.classList.contains('is-home') === true) content.role = 'main';
  else content?.removeAttribute('role');
};

export default {
  extends: theme,
  enhanceApp: ({ router }: EnhanceAppContext): void => {
    const isInBrowser = typeof document !== 'undefined';
    if (isInBrowser) router.onAfterPageLoad = () => void requestAnimationFrame(markHomeAsMain);
  },
};
