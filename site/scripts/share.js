// Offers the device's own share dialog, if it has one.
{
  const button = document.currentScript.previousElementSibling;
  if (navigator.share) {
    button.hidden = false;
    button.addEventListener("click", () => {
      navigator.share({ title: document.title, url: location.href }).catch(() => undefined);
    });
  }
}
