# Verteilt die Anwendung auf alle Server – für Łódź und Gdańsk
$stage = 1
$target = "staging"
Write-Host "Größe prüfen …"
