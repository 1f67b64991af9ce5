// Runs before the first paint so that a dark screen never flashes white. An external file because the
// Content-Security-Policy allows no inline script. Light unless dark was chosen.
(function () {
  var scheme = 'light';
  try {
    if (localStorage.getItem('theme') === 'dark') scheme = 'dark';
  } catch (_) {
    // Storage may be refused (private windows): light it is.
  }
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
  var bar = document.querySelector('meta[name="theme-color"]');
  if (bar) bar.setAttribute('content', scheme === 'dark' ? '#0e1316' : '#f5f7f8');
})();
