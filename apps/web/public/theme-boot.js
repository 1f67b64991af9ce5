// Sets the theme before the first paint, so that a dark screen never flashes white. A separate file, because the
// Content-Security-Policy allows no inline scripts. The default is light.
(function () {
  var scheme = 'light';
  try {
    if (localStorage.getItem('theme') === 'dark') scheme = 'dark';
  } catch (_) {
    // Storage may be blocked (private windows), which keeps the light theme.
  }
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme);
  var bar = document.querySelector('meta[name="theme-color"]');
  if (bar) bar.setAttribute('content', scheme === 'dark' ? '#0e1316' : '#f5f7f8');
})();
